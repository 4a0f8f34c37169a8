// Hashes that name what has only a long name, the same in every browser: FNV-1a of 32 bits.

export const emptyHash = 0x811c9dc5;

export function extend(hash: number, text: string): number {
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  // The end of a text counts, so that a path of names is not their concatenation.
  return Math.imul(hash ^ 0xffff, 0x01000193);
}

export function hashText(hash: number): string {
  return (hash >>> 0).toString(36);
}

export function textHash(text: string): string {
  return hashText(extend(emptyHash, text));
}
