/**
 * The one place that knows how Spark lines and Scala versions differ in their binary form. Spark's
 * and Scala's members are called by name, looked up once a class, because descriptors differ
 * (TreeNode.children returns scala.collection.Seq in 2.12 and immutable.Seq in 2.13). Nothing
 * outside calls a member of Catalyst. What Janino is asked for is here too. May import identity,
 * whose neutral tree it builds.
 */
package io.planflame.spark.shim;
