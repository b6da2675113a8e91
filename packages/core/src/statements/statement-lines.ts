import { ServiceTokens } from '../money/service-tokens.js';
import type { ApiKeyId, ModelSlug } from '../primitives/ids.js';
import type { UtcDay } from '../primitives/time.js';
import { MAX_STATEMENT_LINES_PER_DAY, type StatementCharge } from './statement-document.js';

export interface ChargeGroup {
  readonly day: UtcDay;
  readonly model: ModelSlug | null;
  readonly keyId: ApiKeyId | null;
  readonly entries: number;
  /** Signed change of the balance. */
  readonly amount: ServiceTokens;
}

interface Line {
  readonly model: string;
  readonly keyId: string;
  entries: number;
  amount: ServiceTokens;
}

function isBefore(a: Pick<Line, 'model' | 'keyId'>, b: Pick<Line, 'model' | 'keyId'>): boolean {
  return a.model < b.model || (a.model === b.model && a.keyId < b.keyId);
}

function addTo(line: Line, { entries, amount }: Pick<Line, 'entries' | 'amount'>): void {
  line.entries += entries;
  line.amount = line.amount.plus(amount);
}

/** Lines of one day. Keeps the lines that come first by model and key, so that the result does not depend on the order of arrival. */
class DayLines {
  readonly #lines: Line[] = [];
  readonly #rest: Line = { model: '', keyId: '', entries: 0, amount: ServiceTokens.ZERO };

  add(line: Line): void {
    const place = this.#placeOf(line);
    const found = this.#lines[place];
    if (found !== undefined && !isBefore(line, found)) return addTo(found, line);
    this.#lines.splice(place, 0, line);
    const beyond = this.#lines.length > MAX_STATEMENT_LINES_PER_DAY ? this.#lines.pop() : undefined;
    if (beyond !== undefined) addTo(this.#rest, beyond);
  }

  all(day: UtcDay): readonly StatementCharge[] {
    const lines = this.#rest.entries === 0 ? this.#lines : [...this.#lines, this.#rest];
    return lines.map(({ model, keyId, entries, amount }) => ({
      day, model: (model || null) as ModelSlug | null, key_id: (keyId || null) as ApiKeyId | null, entries, svc_tokens: amount,
    }));
  }

  /** Index of the first line that is not before `line`. */
  #placeOf(line: Line): number {
    let [low, high] = [0, this.#lines.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = this.#lines[middle];
      if (at !== undefined && isBefore(at, line)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Charges by day, model and key, with a bounded number of lines a day. */
export class StatementLines {
  readonly #days = new Map<UtcDay, DayLines>();

  add({ day, model, keyId, entries, amount }: ChargeGroup): void {
    const lines = this.#days.get(day) ?? new DayLines();
    this.#days.set(day, lines);
    lines.add({ model: model ?? '', keyId: keyId ?? '', entries, amount });
  }

  all(): readonly StatementCharge[] {
    return [...this.#days].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([day, lines]) => lines.all(day));
  }
}
