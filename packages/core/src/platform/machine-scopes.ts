/** Scopes of the routes under `/admin/v1`. */
export const MACHINE_SCOPES = [
  'accounts:read', 'accounts:write', 'money:write', 'usage:read', 'events:read', 'webhooks:write', 'sign-in:write', 'controls:write', 'keys:write',
] as const;

export type MachineScope = (typeof MACHINE_SCOPES)[number];
