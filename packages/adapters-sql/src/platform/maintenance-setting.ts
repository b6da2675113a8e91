import { instant, type RecordedMaintenance } from '@tollgate/core';

/** The setting that maintenance is stored in; there is none when it is off. */
export const MAINTENANCE_SETTING = 'maintenance';

interface StoredMaintenance {
  readonly startsAt: number;
  readonly endsAt: number | null;
  readonly message: string | null;
  readonly setBy: string | null;
  readonly setAt: number;
}

export function maintenanceFromSetting(value: string): RecordedMaintenance {
  const { startsAt, endsAt, message, setBy, setAt } = JSON.parse(value) as StoredMaintenance;
  return { startsAt: instant(startsAt), endsAt: endsAt === null ? null : instant(endsAt), message, setBy, setAt: instant(setAt) };
}

export function maintenanceToSetting({ startsAt, endsAt, message, setBy, setAt }: RecordedMaintenance): string {
  return JSON.stringify({ startsAt, endsAt, message, setBy, setAt } satisfies StoredMaintenance);
}
