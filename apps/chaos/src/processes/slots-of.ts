import { CHAOS_SLOTS } from '../books/chaos-catalogue.js';
import type { SlotCount } from '../checks/slots.js';
import type { GatewayProcess } from './gateway-process.js';

const PATIENCE_MILLISECONDS = 5000;
const HELD = /^tollgate_slots_held (\d+)$/m;

/** What a gateway says of the slots that its requests hold; `null` when it has only just begun, or dies before it has answered. */
export async function slotsOf(gateway: GatewayProcess, accounts: number): Promise<SlotCount | null> {
  const { metricsUrl } = gateway;
  if (metricsUrl === null) return null;
  let text: string;
  try {
    text = await (await fetch(metricsUrl, { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) })).text();
  } catch (thrown) {
    if (gateway.isDoomed) return null;
    throw thrown;
  }
  const held = HELD.exec(text)?.[1];
  if (held === undefined) throw new Error('a gateway does not tell tollgate_slots_held');
  return { holder: `gateway ${gateway.processId}`, held: Number(held), limit: CHAOS_SLOTS * accounts };
}
