/** Where a command's words go. Standard output is for results alone, so that they can be piped on. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
}
