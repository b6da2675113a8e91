const EVERY_MILLISECONDS = 50;
const LIMIT_MILLISECONDS = 20_000;

/** Polls until `ask` returns a value other than `null` and false. Rejects after `limit` milliseconds. */
export async function until<Value>(what: string, ask: () => Promise<Value | null | false> | Value | null | false, limit: number = LIMIT_MILLISECONDS): Promise<Value> {
  const end = Date.now() + limit;
  for (;;) {
    const value = await ask();
    if (value !== null && value !== false) return value;
    if (Date.now() > end) throw new Error(`waited ${limit / 1000} s for ${what}`);
    await new Promise((resolve) => { setTimeout(resolve, EVERY_MILLISECONDS); });
  }
}
