import { GatewayError } from './gateway-error.js';

/** What can be wrong with a field, with the values that a sentence about the problem needs. */
export const FIELD_PROBLEMS = {
  required: [], empty: [], invalid: [], wrong_type: [], unknown_field: [], not_offered: [],
  too_short: ['minimum'], too_long: ['maximum'], too_few: ['minimum'], too_many: ['maximum'], too_small: ['minimum'], too_large: ['maximum'],
  out_of_range: ['minimum', 'maximum'],
  control_characters: [], not_one_line: [], not_a_name: ['maximum'],
  not_an_id: [], not_a_time: [], not_a_day: [], not_a_number: [], not_an_amount: [], not_above_zero: [], zero: [],
  not_in_future: [], too_far_ahead: ['days'], not_after_start: [],
  not_an_address: [], own_address: [], address_taken: [],
  common_password: [], password_like_address: [], wrong_password: [], other_password: [],
  not_for_sale: [], only_packages: [], price_out_of_range: ['minimum', 'maximum', 'currency'], no_price: ['currency'],
  threshold_out_of_range: [], below_one_charge: ['minimum', 'currency'],
  unknown_model: ['name'], unknown_plan: [], unknown_price_list: [], unknown_account: [], unknown_key: [], not_a_network: [], no_limit: [],
  scope_off: [], voucher_invalid: [], passkey_unverified: [], not_mailable: [], mail_waiting: [],
  url_scheme: [], url_credentials: [], url_fragment: [], url_private: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type FieldProblemCode = keyof typeof FIELD_PROBLEMS;
type ValuesOf<Code extends FieldProblemCode> = Readonly<Record<(typeof FIELD_PROBLEMS)[Code][number], string | number>>;
export type FieldProblem = { readonly [Code in FieldProblemCode]: { readonly code: Code } & ValuesOf<Code> }[FieldProblemCode];

export interface Flaw {
  /** Follows the field's name and a colon: `must have at most 200 characters`. */
  readonly message: string;
  readonly problem: FieldProblem;
}

export interface FieldFault extends Flaw {
  /** Path of the field: `spending_limit.svc_tokens`. */
  readonly field: string;
}

/** Maximum faults that one refusal reports. */
export const MAX_FIELD_FAULTS = 20;

/** An `invalid_request` error, whose message and `param` are those of the first fault. */
export function refuseFields(faults: readonly [FieldFault, ...FieldFault[]]): GatewayError {
  const [{ field, message }] = faults;
  return new GatewayError('invalid_request', `${field}: ${message}.`, { param: field, faults: faults.slice(0, MAX_FIELD_FAULTS) });
}

/** `message` follows the field's name and a colon: `must have at most 200 characters`. */
export function refuseField(field: string, message: string, problem: FieldProblem): GatewayError {
  return refuseFields([{ field, message, problem }]);
}

function faultsIn(thrown: unknown): readonly FieldFault[] {
  if (thrown instanceof GatewayError && thrown.faults.length > 0) return thrown.faults;
  throw thrown;
}

type Check = () => unknown;
type ResultsOf<Checks extends readonly Check[]> = { readonly [Position in keyof Checks]: Awaited<ReturnType<Checks[Position]>> };

/** Runs all checks and returns their results in order. Throws one refusal with the faults of all checks; throws any other error at once. */
export async function checkFields<const Checks extends readonly Check[]>(...checks: Checks): Promise<ResultsOf<Checks>> {
  const results: unknown[] = [];
  const faults: FieldFault[] = [];
  for (const check of checks) {
    try {
      results.push(await check());
    } catch (thrown) {
      faults.push(...faultsIn(thrown));
    }
  }
  const [first, ...others] = faults;
  if (first !== undefined) throw refuseFields([first, ...others]);
  return results as unknown as ResultsOf<Checks>;
}
