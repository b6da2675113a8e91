import { Checkbox, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { webhooks as texts } from '#texts/webhooks';
import type { Side } from './side';
import { type Group, typesOf, type WebhookFields } from './webhook-form';
import classes from './webhooks.module.css';

const { form: labels } = texts;
const GROUPS = Object.keys(texts.groups) as readonly Group[];

interface TermsProps {
  readonly form: UseFormReturnType<WebhookFields>;
  readonly whose: Side['whose'];
}

function TypeFields({ form, whose }: TermsProps) {
  return (
    <Checkbox.Group aria-label={texts.columns.types} {...form.getInputProps('types')}>
      {GROUPS.filter((group) => typesOf(group, whose).length > 0).map((group) => (
        <fieldset key={group} className={classes['group']}>
          <legend>{texts.groups[group]}</legend>
          {typesOf(group, whose).map((type) => <Checkbox key={type} value={type} label={texts.events[type]} description={<span className="mono">{type}</span>} />)}
        </fieldset>
      ))}
    </Checkbox.Group>
  );
}

export function WebhookTermsFields({ form, whose }: TermsProps) {
  return (
    <>
      <TextInput
        type="url" label={labels.url} description={labels.urlHelp[whose]} placeholder={labels.urlExample} maxLength={2_000} autoComplete="off" spellCheck={false} data-autofocus {...form.getInputProps('url')}
      />
      <TextInput label={labels.description} description={labels.descriptionHelp} maxLength={200} autoComplete="off" {...form.getInputProps('description')} />
      <Checkbox label={labels.all} {...form.getInputProps('all', { type: 'checkbox' })} />
      {!form.values.all && <TypeFields form={form} whose={whose} />}
    </>
  );
}
