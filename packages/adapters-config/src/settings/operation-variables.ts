import { z } from 'zod';
import { variable } from './variable.js';
import { alertThresholds, hostName, networkList, portNumber, printedText, seconds, wholeNumber } from './variable-schemas.js';

export const LOG_FORMATS = ['auto', 'json', 'pretty'] as const;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const OPERATION_VARIABLES = {
  METRICS_PORT: variable(portNumber, {
    default: null, unit: null, meaning: 'Port of a separate listener that answers GET /metrics in the text format of Prometheus. Without it, nothing is measured. 0 takes a free one.',
  }),
  METRICS_HOST: variable(hostName, {
    default: '127.0.0.1', unit: null, meaning: 'Address of that listener. It requires no key, so keep it off public networks.',
  }),
  LEDGER_VERIFY_SECONDS: variable(seconds(0, 604_800), {
    default: '3600', unit: 'seconds', meaning: 'Interval between the gateway\'s ledger checks, the first of which runs one interval after the start. 0 disables them.',
  }),
  DELETION_GRACE_DAYS: variable(wholeNumber(0, 3650), {
    default: '30', unit: 'days', meaning: 'Time between the request to delete an account and its deletion, which can be cancelled until then.',
  }),
  RESPONSES_KEEP_HOURS: variable(wholeNumber(0, 720), {
    default: '24', unit: 'hours',
    meaning: 'How long the gateway stores responses in the responses format, unless a request says store: false. 0 stores none. A change applies to later responses.',
  }),
  EVENTS_KEEP_DAYS: variable(wholeNumber(1, 3650), {
    default: '90', unit: 'days', meaning: 'How long events are kept for readers of the feed. The newest one is always kept.',
  }),
  LOW_BALANCE_ALERTS: variable(alertThresholds, {
    default: '20%,5%', unit: null,
    meaning: 'Balances below which an account has an event balance.low, unless its owner has chosen others: up to three whole percentages of the last credit, or amounts of service tokens, separated by commas; none for no such event.',
  }),
  PRICE_NOTICE_DAYS: variable(wholeNumber(0, 365), {
    default: '14', unit: 'days', meaning: 'How long before a price rises owners who used the model in the last 30 days are notified by mail; tollgate catalog check warns of a rise that is sooner.',
  }),
  WEBHOOK_NETWORKS: variable(networkList('none'), {
    default: 'none', unit: null,
    meaning: "Networks besides the public internet in which owners' webhooks may be: none, or addresses and CIDR ranges separated by commas. Webhooks of operators may be anywhere.",
  }),
  OPERATOR_NAME: variable(printedText(200), {
    default: null, unit: null, meaning: 'Name of the operator on monthly statements; that of BRAND_NAME if only that is set. A change applies to later statements.',
  }),
  OPERATOR_ADDRESS: variable(printedText(500), {
    default: null, unit: null, meaning: 'Address of the operator on monthly statements; \\n begins a new line. A change applies to later statements.',
  }),
  OPERATOR_TAX_NUMBER: variable(printedText(50), {
    default: null, unit: null, meaning: 'Tax number of the operator on monthly statements. A change applies to later statements.',
  }),
  LOG_LEVEL: variable(z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }), {
    default: 'info', unit: null, meaning: `The least severe level that is logged: ${LOG_LEVELS.slice(0, -1).join(', ')}; or silent.`,
  }),
  LOG_FORMAT: variable(z.enum(LOG_FORMATS, { error: `must be one of ${LOG_FORMATS.join(', ')}` }), {
    default: 'auto', unit: null, meaning: 'How the log is written: json, pretty for people, or auto, which is pretty in a terminal and json elsewhere.',
  }),
  NODE_ENV: variable(z.string(), {
    default: 'development', unit: null,
    meaning: 'With production, no demo account is created in an empty database, and SIGN_UP, REQUIRE_SECOND_FACTOR and PAYMENTS have stricter defaults. Every other value counts as development.',
  }),
} as const;
