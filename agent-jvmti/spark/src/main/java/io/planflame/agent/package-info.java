/** The native agent's Java face and the loader of its library. */
package io.planflame.agent;
