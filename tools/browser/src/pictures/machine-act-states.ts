import { shown } from '../driver/page-states.js';
import { changed } from './replies.js';
import { ALL_LOOKS, type NamedState } from './state.js';

const MACHINE = 'machine:mach_000000000000000000000000';
const ADDRESS = '2001:db8:85a3:8d3:1319:8a2e:370:7348';

interface ActedUpon {
  readonly data: readonly (Readonly<Record<string, unknown>> & { readonly origin?: Readonly<Record<string, unknown>> })[];
}

/** Marks the newest three acts as done in sessions that a machine's link began. */
function throughMachine(body: Record<string, unknown>): Record<string, unknown> {
  const { data } = body as unknown as ActedUpon;
  const acts = data.map((act, index) => {
    if (index > 2) return act;
    return act.origin === undefined ? { ...act, by: 'owner', address: ADDRESS, via: MACHINE } : { ...act, origin: { ...act.origin, address: ADDRESS, via: MACHINE } };
  });
  return { ...body, data: acts };
}

/** States that show acts of owners who were signed in by a machine. */
export const MACHINE_ACT_STATES: readonly NamedState[] = [
  { name: 'activity-via', viewer: 'owner', path: '/activity', looks: ALL_LOOKS, prepare: changed('/activity*', throughMachine), act: (page) => shown(page.getByText('signed in by the operator’s shop or portal').first()) },
  { name: 'operator-audit-via', viewer: 'operator', path: '/operator/audit', looks: ALL_LOOKS, prepare: changed('/operator/audit*', throughMachine), act: (page) => shown(page.getByText(/via mach_/).first()) },
];
