import { type Maintenance, maintenanceProblem, maintenanceStateAt, operatorTextProblem, rfc3339 } from '@tollgate/core';
import { encodeMaintenance } from '@tollgate/wire-kit';
import { misuse } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import type { TimeValue } from '../../values/option-values.js';

export interface MaintenanceOptions {
  readonly from?: TimeValue;
  readonly until?: TimeValue;
  readonly message?: string;
}

/** Sets maintenance from now on or for a time to come, in the place of what was set before. */
export async function startMaintenance(session: OperatorSession, options: MaintenanceOptions): Promise<Report> {
  const maintenance = maintenanceOf(options, session);
  await session.store.controls.setMaintenance(maintenance, session.act());
  return maintenanceReport(session, maintenanceLine(maintenance, session));
}

export async function endMaintenance(session: OperatorSession): Promise<Report> {
  await session.store.controls.setMaintenance(null, session.act());
  return maintenanceReport(session, 'Maintenance is off.');
}

function maintenanceOf({ from, until, message }: MaintenanceOptions, { clock }: OperatorSession): Maintenance {
  const now = clock.now();
  const textProblem = message === undefined ? null : operatorTextProblem(message);
  if (textProblem !== null) throw misuse(`option '--message <text>' ${textProblem}`);
  const maintenance = { startsAt: from?.(now) ?? now, endsAt: until?.(now) ?? null, message: message ?? null };
  const problem = maintenanceProblem(maintenance, now);
  if (problem !== null) throw misuse(`option '--until <when>': ${problem}`);
  return maintenance;
}

/** `Maintenance is planned from … until ….` */
export function maintenanceLine(maintenance: Maintenance | null, { clock }: OperatorSession): string {
  const state = maintenanceStateAt(maintenance, clock.now());
  if (maintenance === null || state === 'off') return 'Maintenance is off.';
  const end = maintenance.endsAt === null ? '' : ` until ${rfc3339(maintenance.endsAt)}`;
  const start = state === 'planned' ? ` from ${rfc3339(maintenance.startsAt)}` : '';
  return `Maintenance is ${state}${start}${end}.`;
}

function maintenanceReport({ store, clock }: OperatorSession, line: string): Report {
  return { json: { maintenance: encodeMaintenance(store.platform.current().maintenance, clock.now()) }, lines: [line] };
}
