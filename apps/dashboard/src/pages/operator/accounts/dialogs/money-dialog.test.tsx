import { renderPage, installDocument } from '../../../../test-support/render-page';
import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { microUnits } from '../../../../format/amount';
import { json, ScriptedApi } from '../../../../test-support/scripted-api';
import type { AccountDetail, Outcome } from '../acts/account-data';
import { MoneyDialog } from './money-dialog';

installDocument();

const ACCOUNT = { id: 'acct_1', email: 'rocket@example.com', balance: { available: { svc_tokens: '100', usd: '0.1' } } } as AccountDetail;
const OK = 'req_completed1';
const FREE = 'req_uncharged1';
const FAILED = 'req_failedonce';
const OLD = 'req_longago111';

function recordOf(id: string, charged: string, reason: string) {
  return { request_id: id, account_id: 'acct_1', model: 'aster', requested_model: 'aster', end_reason: reason, ended_at: '2026-11-21T09:30:00.000Z', svc_tokens_debited: charged, svc_cost_usd: '0.5' };
}

const REQUESTS = [recordOf(OK, '500', 'completed'), recordOf(FREE, '0', 'provider_failed'), recordOf(FAILED, '20108', 'provider_failed')];

/** `refunds` are booked on each request beforehand; a test may add some. */
function apiWith(refunds: string[] = []) {
  const api = new ScriptedApi()
    .on('GET /dashboard/api/account', () => json({ balance: { usd_per_service_token: '0.001' } }))
    .on('GET /dashboard/api/models', () => json({ object: 'list', data: [{ id: 'aster', display_name: 'Aster' }] }))
    .on('GET /dashboard/api/operator/usage', (_body, _signal, query) => json({
      object: 'list', has_more: false, next_cursor: null, searched_to: null,
      data: query.get('account') === 'acct_1' ? REQUESTS.filter(({ svc_tokens_debited: charged }) => microUnits(charged) >= microUnits(query.get('min_charge') ?? '0')) : [],
    }));
  for (const record of [...REQUESTS, recordOf(OLD, '7', 'completed')]) {
    api.on(`GET /dashboard/api/operator/usage/${record.request_id}`, () => json({ ...record, ledger: refunds.map((amount) => ({ kind: 'refund', amount, reference: 'a', at: record.ended_at })) }));
  }
  return api.on('POST /dashboard/api/operator/accounts/acct_1/refunds', (body) => json({
    object: 'booking', outcome: 'booked', kind: 'refund', svc_tokens: (body as { readonly svc_tokens: string }).svc_tokens, reference: 'a', balance: ACCOUNT.balance,
  }));
}

async function openRefund(api: ScriptedApi, requestId?: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  await renderPage(<MoneyDialog account={ACCOUNT} act="refund" requestId={requestId} opened onClose={() => undefined} onDone={(outcome) => outcomes.push(outcome)} />, { api });
  await screen.findByRole('combobox', { name: 'Unit' });
  return outcomes;
}

const request = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Request' });
const amount = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount' });
const reference = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Reference' });
const write = (field: HTMLInputElement, value: string) => fireEvent.change(field, { target: { value } });
const list = () => screen.findByRole('listbox');
const texts = (options: readonly HTMLElement[]) => options.map((option) => option.textContent);
const shownText = async (text: RegExp) => { await waitFor(() => expect(screen.getByRole('dialog').textContent).toMatch(text)); };

describe('the request whose charge is refunded', () => {
  it('is chosen from the charged requests, failed ones first, and determines the reference until the operator types one', async () => {
    await openRefund(apiWith());
    fireEvent.click(request());
    const offered = await within(await list()).findAllByRole('option');
    expect(texts(offered)).toEqual([expect.stringMatching(/^Aster\$0\.50.*Model failed$/), expect.stringMatching(/^Aster.*Completed$/)]);
    fireEvent.click(offered[0] as HTMLElement);
    expect([request().value, reference().value]).toEqual([FAILED, `refund of ${FAILED}`]);
    write(request(), OK);
    expect(reference().value).toBe(`refund of ${OK}`);
    write(reference(), 'ticket 7');
    write(request(), FAILED);
    expect(reference().value).toBe('ticket 7');
  });

  it('can be searched by how it ended, and typed if the list does not offer it', async () => {
    await openRefund(apiWith());
    fireEvent.click(request());
    expect(within(await list()).getAllByRole('option')).toHaveLength(2);
    write(request(), 'model failed');
    expect(texts(within(await list()).getAllByRole('option'))).toEqual([expect.stringContaining('req_failedonce')]);
    write(request(), OLD);
    await shownText(/Up to \$0\.007/);
    expect([screen.queryByText(/req_failedonce/), reference().value]).toEqual([null, `refund of ${OLD}`]);
  });

  it('has the initial focus, unless the request is given', async () => {
    await openRefund(apiWith());
    expect([request(), amount()].map((field) => field.hasAttribute('data-autofocus'))).toEqual([true, false]);
  });

  it('leaves the initial focus to the amount if the request is given', async () => {
    await openRefund(apiWith(), FAILED);
    expect([request(), amount()].map((field) => field.hasAttribute('data-autofocus'))).toEqual([false, true]);
  });
});

describe('the amount of a refund', () => {
  it('is at most what earlier refunds leave of the charge', async () => {
    const api = apiWith(['100', '8']);
    await openRefund(api, FAILED);
    await shownText(/\$0\.11.*was given back before.*Up to \$20\.00.*can be refunded/);
    write(amount(), '20.001');
    expect(amount().getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('At most $20.00 (20,000 service tokens) can be refunded.')).toBeTruthy();
    expect(screen.getByText('Available afterwards').parentElement?.textContent).toBe('Available afterwards–');
    write(screen.getByRole('textbox', { name: 'Reason' }), 'Failed.');
    fireEvent.click(screen.getByRole('button', { name: /^Refund/ }));
    await waitFor(() => expect(document.activeElement).toBe(amount()));
    expect(api.sent.filter(({ route }) => route.startsWith('POST'))).toEqual([]);
    write(amount(), '20');
    expect(screen.getByText('Available afterwards').parentElement?.textContent).toContain('$20.10');
  });

  it('is zero once the whole charge was refunded', async () => {
    await openRefund(apiWith(['20108']), FAILED);
    await shownText(/nothing is left to refund/);
    write(amount(), '0.000001');
    expect(amount().getAttribute('aria-invalid')).toBe('true');
  });

  it('has a fault, in the words of the page, if another refund was booked first', async () => {
    const refunds: string[] = [];
    const api = apiWith(refunds);
    api.on('POST /dashboard/api/operator/accounts/acct_1/refunds', () => {
      refunds.push('20000');
      return json({ error: { code: 'conflict', message: 'At most 108 service tokens of this request can still be refunded.' } }, 409);
    });
    const outcomes = await openRefund(api, FAILED);
    await shownText(/Up to \$20\.11/);
    write(amount(), '20');
    write(screen.getByRole('textbox', { name: 'Reason' }), 'Failed.');
    fireEvent.click(screen.getByRole('button', { name: /^Refund/ }));
    expect(await screen.findByText('At most $0.108 (108 service tokens) can be refunded.')).toBeTruthy();
    expect([screen.queryByRole('alert'), screen.queryByText(/At most 108/), outcomes]).toEqual([null, null, []]);
  });
});
