import { TextInput } from '@mantine/core';

interface TextFilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly type?: 'text' | 'date';
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
}

/** Applies the trimmed text on Enter or blur, if it has changed. */
export function TextFilter({ value = '', onChange, ...props }: TextFilterProps) {
  const apply = (text: string) => { if (text.trim() !== value) onChange(text.trim()); };
  return (
    <TextInput
      key={value} {...props} defaultValue={value} autoComplete="off" spellCheck={false}
      onBlur={({ currentTarget }) => apply(currentTarget.value)} onKeyDown={({ key, currentTarget }) => { if (key === 'Enter') apply(currentTarget.value); }}
    />
  );
}
