/**
 * Stable names of queries, plans and operators, identity version 1: the same on every run, Spark
 * version and choice of physical operator. Pure: logical plans come in as neutral {@link
 * io.planflame.identity.Tree}s; no Spark type is known here.
 */
package io.planflame.identity;
