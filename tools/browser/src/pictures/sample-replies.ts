export const EMPTY_LIST = { object: 'list', data: [], has_more: false, next_cursor: null };

/** Statements of two months, with closing balances of twelve digits before the decimal point. */
export const STATEMENTS = { ...EMPTY_LIST, data: [11, 10].map((month) => ({
  object: 'statement_summary', number: month * 7, account_id: 'acct_1', month: `2026-${month}`, made_at: `2026-${month + 1}-01T01:00:00.000Z`, opening_balance: '0', closing_balance: '900719925474.740993',
})) };

const OWN_RATES = { prompt: '0.0000004', cached_prompt: '0.0000001', cache_creation: '0.0000005', output: '0.0000016' };

/** Price lists with entries in every state, because the gallery's catalogue has no lists. */
export const PRICE_LISTS = { object: 'list', has_more: false, data: [
  { id: 'partners', object: 'price_list', name: 'Partners', entries: [
    { from: null, factor: '1', models: [] }, { from: '2026-01-01T00:00:00.000Z', factor: '0.8', models: [] },
    { from: '2099-01-01T00:00:00.000Z', factor: '0.75', models: [{ model: 'sandbox-small', ...OWN_RATES }, { model: 'a-model-with-a-name-that-is-rather-long', ...OWN_RATES }] },
  ] },
  { id: 'schools', object: 'price_list', name: 'Schools and universities', entries: [{ from: null, factor: '0.5', models: [] }] },
] };

/** Documents to agree to, because the gallery's gateway has none. */
export const CONSENT = { object: 'consent', documents: [
  { document: 'terms', version: '2026-11-01', url: 'https://acme.example/terms', agreed_version: '1' }, { document: 'privacy', version: '2', url: 'https://acme.example/privacy', agreed_version: null },
] };
