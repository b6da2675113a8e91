/** A failure in the browser, with a text for its user. */
export class Problem extends Error {
  override readonly name = 'Problem';
}
