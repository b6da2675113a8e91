import { Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType, UseFormReturnType } from '@mantine/form';
import { machines as texts } from '#texts/machines';
import { addDays, utcDay } from '../../../format/day';
import type { Scope } from './machine';
import { type ExpiryFields, MAX_DAYS, type MachineFields } from './machine-form';
import classes from './machines.module.css';

const { form: labels } = texts;
const SCOPES = Object.keys(texts.scopes) as Scope[];
const EXPIRIES = Object.entries(labels.expiries).map(([value, label]) => ({ value, label }));

interface ExpiryForm {
  readonly values: ExpiryFields;
  readonly getInputProps: (field: keyof ExpiryFields) => GetInputPropsReturnType;
}

export function ExpiryField({ form }: { readonly form: ExpiryForm }) {
  return (
    <>
      <Select label={labels.expiry} data={EXPIRIES} allowDeselect={false} {...form.getInputProps('expiry')} />
      {form.values.expiry === 'day' && <TextInput type="date" label={labels.day} description={labels.dayHelp} min={utcDay()} max={addDays(utcDay(), MAX_DAYS)} {...form.getInputProps('day')} />}
    </>
  );
}

interface TermsProps {
  readonly form: UseFormReturnType<MachineFields>;
  readonly grantable: readonly Scope[];
}

/** Scopes that cannot be granted say why. */
function ScopesField({ form, grantable }: TermsProps) {
  return (
    <Checkbox.Group label={labels.scopes} description={labels.scopesHelp} {...form.getInputProps('scopes')}>
      <div className={classes['scopes']}>
        {SCOPES.map((scope) => {
          const granted = grantable.includes(scope);
          return <Checkbox key={scope} value={scope} label={scope} description={granted ? texts.scopes[scope] : `${texts.scopes[scope]} ${texts.keysOff}`} disabled={!granted} />;
        })}
      </div>
    </Checkbox.Group>
  );
}

export function MachineTermsFields({ form, grantable }: TermsProps) {
  return (
    <>
      <TextInput label={labels.name} description={labels.nameHelp} maxLength={200} autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <ScopesField form={form} grantable={grantable} />
      <Textarea
        label={labels.networks} description={labels.networksHelp} placeholder={labels.networksExample} autosize minRows={2} maxRows={8} autoComplete="off" spellCheck={false}
        {...form.getInputProps('networks')}
      />
      <ExpiryField form={form} />
    </>
  );
}
