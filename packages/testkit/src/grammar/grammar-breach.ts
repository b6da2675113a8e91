/** Where a stream breaks the grammar of its format: the frame's number, counted from 0, and its text. */
export class GrammarBreach extends Error {
  override readonly name = 'GrammarBreach';

  constructor(readonly frame: number, why: string, text: string) {
    super(`frame ${frame}: ${why}: ${JSON.stringify(text)}`);
  }
}

/** States what the grammar demands of the frame being read. */
export type Demand = (condition: boolean, why: string) => asserts condition;
