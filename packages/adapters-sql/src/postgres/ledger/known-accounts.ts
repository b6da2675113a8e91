const RESERVATIONS_KEPT = 20_000;

/**
 * Which account a reservation is on, as far as this process has asked for it lately; so that what happens to one account stays in order.
 * Nothing depends on it but that order: the database looks for itself.
 */
export class KnownAccounts {
  /** More than one only when the same reservation was asked for on several accounts. */
  private readonly accounts = new Map<string, readonly string[]>();

  note(reservation: string, account: string): void {
    const known = this.of(reservation);
    if (known.includes(account)) return;
    this.accounts.set(reservation, [...known, account]);
    const [oldest] = this.accounts.keys();
    if (oldest !== undefined && this.accounts.size > RESERVATIONS_KEPT) this.accounts.delete(oldest);
  }

  of(reservation: string): readonly string[] {
    return this.accounts.get(reservation) ?? [];
  }
}
