import { MultiSelect, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { keys as texts } from '#texts/keys';
import { useRoute } from '../../api/use-route';
import { AmountInput } from '../../components/amount-input';
import { addDays, utcDay } from '../../format/day';
import { modelFilter, useModelNames } from '../models/model-names';
import type { KeyFields } from './key-form';

type KeyForm = UseFormReturnType<KeyFields>;

const { form: labels } = texts;
const YEAR = 365;

function optionsOf(names: Readonly<Record<string, string>>) {
  return Object.entries(names).map(([value, label]) => ({ value, label }));
}

export function ExpiryField({ form }: { readonly form: KeyForm }) {
  return (
    <>
      <Select label={labels.expiry} data={optionsOf(labels.expiries)} allowDeselect={false} {...form.getInputProps('expiry')} />
      {form.values.expiry === 'day' && (
        <TextInput type="date" label={labels.day} description={labels.dayHelp} min={utcDay()} max={addDays(utcDay(), 10 * YEAR)} {...form.getInputProps('day')} />
      )}
    </>
  );
}

interface KeyTermsProps {
  readonly form: KeyForm;
  /** Models to choose from; by default, those of the reader's plan. */
  readonly models?: readonly string[];
  readonly children?: ReactNode;
}

/** Name, models and spending limit. */
export function KeyTermsFields({ form, models: given, children }: KeyTermsProps) {
  const { data } = useRoute('listModels', {}, { enabled: given === undefined });
  const models = given ?? data?.data.filter(({ in_plan: inPlan }) => inPlan).map(({ id }) => id) ?? [];
  const modelName = useModelNames();
  const chosen = form.values.models;
  return (
    <>
      <TextInput label={labels.name} description={labels.nameHelp} maxLength={200} autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      {children}
      <MultiSelect
        label={labels.models} description={labels.modelsHelp} placeholder={chosen.length === 0 ? labels.modelsAll : undefined} searchable clearable
        data={[...new Set([...models, ...chosen])].map((id) => ({ value: id, label: modelName(id) }))} filter={modelFilter} {...form.getInputProps('models')}
      />
      <Select label={labels.period} data={optionsOf(labels.periods)} allowDeselect={false} {...form.getInputProps('period')} />
      {form.values.period !== 'none' && <AmountInput label={labels.amount} unit="usd" {...form.getInputProps('amount')} value={form.values.amount} />}
    </>
  );
}
