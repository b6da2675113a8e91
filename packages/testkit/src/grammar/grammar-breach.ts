/** A frame that violates the grammar: its number, from 0, and its text. */
export class GrammarBreach extends Error {
  override readonly name = 'GrammarBreach';

  constructor(readonly frame: number, why: string, text: string) {
    super(`frame ${frame}: ${why}: ${JSON.stringify(text)}`);
  }
}

/** Requires a condition of the current frame. Throws `GrammarBreach` otherwise. */
export type Demand = (condition: boolean, why: string) => asserts condition;
