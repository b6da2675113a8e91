/** Where a command's words go. Standard output is for results alone, so that they can be piped on. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  /** Asks the person at the terminal; absent where nobody can answer. An end of input is an empty answer. */
  ask?(question: string): Promise<string>;
}
