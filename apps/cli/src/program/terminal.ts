/** Where a command's words go. Standard output is for results alone, so that they can be piped on. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  /** Says what a long command is doing; absent where no person watches. */
  progress?(text: string): void;
  /** Asks the person at the terminal; absent where nobody can answer. An end of input is an empty answer. */
  ask?(question: string): Promise<string>;
}
