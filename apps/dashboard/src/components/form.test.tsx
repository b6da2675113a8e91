import { renderPage, installDocument } from '../test-support/render-page';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from '@jest/globals';
import { call } from '../api/call';
import { json, ScriptedApi } from '../test-support/scripted-api';
import { Form } from './form';
import { blankFault } from './typed-fault';

installDocument();

function Renaming() {
  const form = useForm({ initialValues: { email: '', name: '' }, validate: { email: blankFault, name: blankFault } });
  const sending = useMutation({ mutationFn: (body: { email: string; name: string }) => call('createAccount', { body: { ...body, plan: 'pro' } }) });
  return (
    <Form form={form} error={sending.error} fields={['email', 'name', 'plan']} onSubmit={(values) => sending.mutate(values)}>
      <TextInput label="Address" {...form.getInputProps('email')} />
      <TextInput label="Name" {...form.getInputProps('name')} />
      <button type="submit">Send</button>
    </Form>
  );
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const isFaulty = (name: string) => field(name).getAttribute('aria-invalid') === 'true';
const send = () => fireEvent.click(screen.getByRole('button', { name: 'Send' }));

function type(texts: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(texts)) fireEvent.change(field(name), { target: { value } });
}

it('a form shows the faults of all fields at once, focuses the first faulty field, and sends nothing', async () => {
  const { api } = await renderPage(<Renaming />);
  send();
  await waitFor(() => expect([isFaulty('Address'), isFaulty('Name')]).toEqual([true, true]));
  expect(document.activeElement).toBe(field('Address'));
  expect(api.sent).toEqual([]);
});

it('a refused form shows each fault beside the field that it names, and faults of unknown fields above all fields', async () => {
  const errors = [{ field: 'name', code: 'required', message: 'Name is missing.' }, { field: 'plan', code: 'required', message: 'Plan is missing.' }];
  const api = new ScriptedApi().on('POST /dashboard/api/operator/accounts', () => json({ error: { code: 'invalid_request', message: 'The request is not valid.', param: 'name', errors } }, 400));
  await renderPage(<Renaming />, { api });
  type({ Address: 'ada@example.com', Name: 'Ada' });
  send();
  await waitFor(() => expect(isFaulty('Name')).toBe(true));
  expect([isFaulty('Address'), document.activeElement === field('Name')]).toEqual([false, true]);
  expect(screen.getByRole('alert').textContent).not.toBe('');
});

it('a form keeps what was typed if the request is refused', async () => {
  const api = new ScriptedApi().on('POST /dashboard/api/operator/accounts', () => json({ error: { code: 'conflict', message: 'The address is taken.', param: null } }, 409));
  await renderPage(<Renaming />, { api });
  type({ Address: 'ada@example.com', Name: 'Ada Byron' });
  send();
  await screen.findByRole('alert');
  expect([field('Address').value, field('Name').value, api.sent.length]).toEqual(['ada@example.com', 'Ada Byron', 1]);
});
