import { AMOUNT_SCALE, explainCharge, type UsageRecord } from '@tollgate/core';

/** The charge of a usage record worked out step by step, so that anyone can check it with a pencil. Amounts and rates are strings. */
export function encodeChargeExplanation(record: UsageRecord) {
  const { lines, sum, rounding, computed } = explainCharge(record);
  return {
    lines: lines.map(({ tokenClass, count, rate, amount }) => ({ token_class: tokenClass, tokens: count, rate, amount })),
    sum,
    rounding,
    rounding_rule: `up, once, to ${AMOUNT_SCALE} decimal places`,
    computed: computed.toString(),
    written_off: record.writeOff.toString(),
    debited: record.charge.amount.toString(),
    usd_per_service_token: record.usdPerServiceToken,
    usd: record.charge.usd.toString(),
  };
}
