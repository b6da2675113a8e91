// Chunks are detached after concatenation; `docs/performance.md` states the gain.

/** Number of chunks that are kept as they are, each an object of about a hundred bytes. */
const CHUNKS_KEPT = 16;
/** Beyond `CHUNKS_KEPT`, chunks shorter than this are copied together. */
const SHORT_BYTES = 4_096;
const BLOCK_BYTES = 65_536;
const NO_BLOCK = Buffer.alloc(0);

/** Frees the memory at once. Otherwise the memory counts towards the 64 MiB of external memory that trigger a full collection. */
function detach({ buffer, byteLength }: Buffer): void {
  // Memory shared with other views must stay.
  const isItsOwn = byteLength > 0 && byteLength === buffer.byteLength;
  if (isItsOwn && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Collects chunks in little more memory than their bytes, even if they are short. */
export class BodyChunks {
  readonly #chunks: Buffer[] = [];
  #block = NO_BLOCK;
  #used = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get buffers(): number {
    return this.#chunks.length + (this.#used > 0 ? 1 : 0);
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#chunks.length >= CHUNKS_KEPT && chunk.length < SHORT_BYTES) {
      this.#copy(chunk);
      return;
    }
    this.#endCopies();
    this.#chunks.push(chunk);
  }

  /** Copies all chunks to one buffer, and detaches them; a single chunk is returned itself. */
  joined(): Buffer {
    this.#endCopies();
    const [first] = this.#chunks;
    if (this.#chunks.length === 1 && first !== undefined) return first;
    const whole = Buffer.concat(this.#chunks, this.#size);
    for (const chunk of this.#chunks) detach(chunk);
    return whole;
  }

  #copy(chunk: Buffer): void {
    if (chunk.length > this.#block.length - this.#used) {
      this.#endCopies();
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    }
    this.#used += chunk.copy(this.#block, this.#used);
  }

  /** Ends the current block. Later copies use the rest of its memory. */
  #endCopies(): void {
    if (this.#used === 0) return;
    this.#chunks.push(this.#block.subarray(0, this.#used));
    this.#block = this.#block.subarray(this.#used);
    this.#used = 0;
  }
}
