/** Where a command's words go. Standard output is for results alone, so that they can be piped on. */
export interface Terminal {
  out(text: string): void;
  /** The same for a part of a long result; resolves once the reader has room for more, and rejects when it has left. `out` where absent. */
  outPart?(text: string): Promise<void>;
  error(text: string): void;
  /** Says what a long command is doing; absent where no person watches. */
  progress?(text: string): void;
  /** Asks the person at the terminal; absent where nobody can answer. An end of input is an empty answer. */
  ask?(question: string): Promise<string>;
}
