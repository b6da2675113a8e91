import { renderPage, installDocument } from '../test-support/render-page';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from '@jest/globals';
import { json, ScriptedApi } from '../test-support/scripted-api';
import { AmountInput } from './amount-input';

installDocument();

const api = () => new ScriptedApi().on('GET /dashboard/api/account', () => json({ balance: { usd_per_service_token: '0.001' } }));

function Field() {
  const [tokens, setTokens] = useState('');
  return <><AmountInput label="At most" unit="usd" value={tokens} onChange={setTokens} /><output>{tokens}</output></>;
}

it('a field for an amount accepts dollars instead of service tokens, and shows both amounts', async () => {
  await renderPage(<Field />, { api: api() });
  await screen.findByRole('combobox', { name: 'Unit' });
  fireEvent.change(screen.getByLabelText('At most'), { target: { value: '5' } });
  expect(screen.getByRole('status').textContent).toBe('5000');
  expect(screen.getByText('= 5,000 service tokens')).toBeTruthy();
});

it('a field for an amount accepts no input before the value of a service token is known', async () => {
  await renderPage(<Field />, { api: api() });
  expect(screen.getByLabelText<HTMLInputElement>('At most').readOnly).toBe(true);
  await screen.findByRole('combobox', { name: 'Unit' });
  expect(screen.getByLabelText<HTMLInputElement>('At most').readOnly).toBe(false);
});

it('a field for an amount keeps its amount when the unit is changed', async () => {
  await renderPage(<Field />, { api: api() });
  const unit = await screen.findByRole('combobox', { name: 'Unit' });
  fireEvent.change(screen.getByLabelText('At most'), { target: { value: '5' } });
  fireEvent.change(unit, { target: { value: 'svc' } });
  expect(screen.getByLabelText<HTMLInputElement>('At most').value).toBe('5000');
  expect(screen.getByText('= $5.00')).toBeTruthy();
});

it('a field for an amount shows a fault when it is left, and not before', async () => {
  await renderPage(<Field />, { api: api() });
  const field = screen.getByLabelText('At most');
  fireEvent.change(field, { target: { value: 'five' } });
  expect(field.getAttribute('aria-invalid')).not.toBe('true');
  fireEvent.blur(field);
  expect(field.getAttribute('aria-invalid')).toBe('true');
});
