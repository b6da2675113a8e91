import type { z } from 'zod';
import { BRAND_VARIABLES } from './brand-variables.js';
import { MAIL_VARIABLES } from './mail-variables.js';
import { OPERATION_VARIABLES } from './operation-variables.js';
import { PAYMENT_VARIABLES } from './payment-variables.js';
import { PEOPLE_VARIABLES } from './people-variables.js';
import { STORAGE_VARIABLES } from './storage-variables.js';
import { TRAFFIC_VARIABLES } from './traffic-variables.js';
import { UPSTREAM_VARIABLES } from './upstream-variables.js';

/** All variables, in the order of the documentation. Tests compare `.env.example` and `docs/configuration.md` with them. */
export const VARIABLES = {
  ...PEOPLE_VARIABLES,
  ...STORAGE_VARIABLES,
  ...UPSTREAM_VARIABLES,
  ...TRAFFIC_VARIABLES,
  ...BRAND_VARIABLES,
  ...MAIL_VARIABLES,
  ...PAYMENT_VARIABLES,
  ...OPERATION_VARIABLES,
} as const;

export type VariableName = keyof typeof VARIABLES;

/** Values of all variables after validation. */
export type VariableValues = {
  readonly [Name in VariableName]:
    | z.output<(typeof VARIABLES)[Name]['schema']>
    | (null extends (typeof VARIABLES)[Name]['default'] ? null : never)
};
