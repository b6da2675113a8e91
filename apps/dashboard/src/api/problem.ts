/** A failure in the browser. The user sees its message. */
export class Problem extends Error {
  override readonly name = 'Problem';
}
