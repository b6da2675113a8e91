/** What has been opened so far, closed from the last to the first. */
export class Opened {
  private readonly closings: (() => Promise<void> | void)[] = [];

  add(close: () => Promise<void> | void): void {
    this.closings.unshift(close);
  }

  async close(): Promise<void> {
    for (const close of this.closings.splice(0)) await close();
  }
}
