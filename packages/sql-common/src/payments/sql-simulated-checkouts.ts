import type { SimulatedCheckout, SimulatedCheckouts } from '@tollgate/core';
import { storableText } from '../schema/storable-text.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import { locking, type Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';

type Change = Parameters<SimulatedCheckouts['change']>[1];

/** Encodes 64-bit integers as texts, because JSON numbers are not exact. */
function encode(checkout: SimulatedCheckout): string {
  return JSON.stringify(checkout, (_key, value: unknown) => (typeof value === 'bigint' ? `${value.toString()}n` : value));
}

function decode(details: string): SimulatedCheckout {
  return JSON.parse(details, (key, value: unknown) => (key === 'amount' && typeof value === 'string' ? BigInt(value.slice(0, -1)) : value)) as SimulatedCheckout;
}

export class SqlSimulatedCheckouts implements SimulatedCheckouts {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  async create(checkout: SimulatedCheckout): Promise<void> {
    await this.runner.write(() => changesOf(this.queries.insertInto('simulated_checkouts').values({ reference: checkout.reference, details: encode(checkout) })
      .onConflict((conflict) => conflict.column('reference').doNothing())));
  }

  find(reference: string): Promise<SimulatedCheckout | null> {
    return this.runner.read(() => this.byReference(reference));
  }

  change(reference: string, change: Change): Promise<SimulatedCheckout | null> {
    return this.runner.write(() => this.update(reference, change));
  }

  private* byReference(reference: string): Script<SimulatedCheckout | null> {
    const row = yield* firstOf(this.queries.selectFrom('simulated_checkouts').select('details').where('reference', '=', storableText(reference)));
    return row === null ? null : decode(row.details);
  }

  private* update(reference: string, change: Change): Script<SimulatedCheckout | null> {
    const row = yield* firstOf(locking(this.queries, this.queries.selectFrom('simulated_checkouts').select('details').where('reference', '=', storableText(reference))));
    if (row === null) return null;
    const changed = change(decode(row.details));
    yield* changesOf(this.queries.updateTable('simulated_checkouts').set({ details: encode(changed) }).where('reference', '=', reference));
    return changed;
  }
}
