/** What the bench asks of a process that reads usage. */
export interface UsageQuestion {
  /** Another one reads other pages. */
  readonly round: number;
}

/** What came of a round of reading. Medians of the pages and summaries, in milliseconds. */
export interface UsageAnswer {
  readonly kind: 'usage';
  readonly values: {
    /** A page of 100 records of one account. */
    readonly owner: number;
    /** A page of 100 records of all accounts. */
    readonly operator: number;
    /** The totals of an account in thirty days by model. */
    readonly summary: number;
    /** The totals of an account in a year by week and model. */
    readonly year: number;
    /** The totals of all accounts in thirty days, by day and model and by day and account. */
    readonly totals: number;
    /** For how long the event loop stood still at most while these summaries were read. */
    readonly block: number;
    /** Records exported in a second. */
    readonly exported: number;
    /** Resident memory at most while records were exported, in mebibytes. */
    readonly memory: number;
    /** How much of that came after the first tenth of the export, in mebibytes. */
    readonly growth: number;
  };
}

export function isUsageAnswer(message: unknown): message is UsageAnswer {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'usage';
}
