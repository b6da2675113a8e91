/** The number (from 0) and text of the frame that violates the grammar. */
export class GrammarBreach extends Error {
  override readonly name = 'GrammarBreach';

  constructor(readonly frame: number, why: string, text: string) {
    super(`frame ${frame}: ${why}: ${JSON.stringify(text)}`);
  }
}

/** Asserts what the grammar requires of the current frame. */
export type Demand = (condition: boolean, why: string) => asserts condition;
