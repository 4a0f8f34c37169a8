package org.apache.spark.rdd;

/** What a listener of a reader of files calls, by the name of its class. */
public final class HadoopRDDListener {}
