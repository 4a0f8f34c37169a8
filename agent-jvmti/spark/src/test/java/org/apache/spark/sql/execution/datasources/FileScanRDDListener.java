package org.apache.spark.sql.execution.datasources;

import scala.collection.Iterator;

/** What the listener of a reader of files calls, by the name of its class, and its reader. */
public final class FileScanRDDListener {
  @SuppressWarnings("unused")
  private final Reader arg$1;

  /** @param files that the reader has not opened yet */
  public FileScanRDDListener(Iterator<?> files) {
    arg$1 = new Reader(files);
  }

  /** An iterator over the rows of files. */
  private static final class Reader {
    @SuppressWarnings("unused")
    private final Iterator<?> files;

    Reader(Iterator<?> files) {
      this.files = files;
    }
  }
}
