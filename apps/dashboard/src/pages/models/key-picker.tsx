import { Select } from '@mantine/core';
import { models as texts } from '#texts/models';
import { useRoute } from '../../api/use-route';
import { TextLink } from '../../components/link';
import { mayUse } from './model-facts';
import classes from './models.module.css';

interface KeyPickerProps {
  readonly model: string;
  /** Id of the key; `null` for any key. */
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

/** Chooses the key whose secret the variable `KEY` contains; the page does not know the secret. */
export function KeyPicker({ model, value, onChange }: KeyPickerProps) {
  const keys = useRoute('listKeys', {}).data?.data.filter(({ status, blocked }) => status === 'active' && !blocked);
  const key = keys?.find(({ id }) => id === value);
  const name = key?.name ?? key?.hint ?? '';
  if (keys?.length === 0) return <p className="in-text">{texts.noKeys} <TextLink to="/keys" search={{ create: '1' }}>{texts.createKey}</TextLink></p>;
  return (
    <Select
      className={classes['picker'] ?? ''} label={texts.key} description={key === undefined ? texts.keyHelp : texts.keyLine(name, key.hint)}
      inputWrapperOrder={['label', 'input', 'description', 'error']} placeholder={texts.keyNone} clearable
      data={(keys ?? []).map(({ id, name: label, hint }) => ({ value: id, label: label === null ? hint : `${label} (${hint})` }))}
      value={value} onChange={onChange} error={key !== undefined && !mayUse(key, model) ? texts.keyCannot(name) : undefined}
    />
  );
}
