/** A failure in the browser, in words for its person. */
export class Problem extends Error {
  override readonly name = 'Problem';
}
