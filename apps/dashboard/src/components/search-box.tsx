import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { common } from '#texts/common';
import { SearchIcon } from './icons';

const PAUSE = 300;

interface SearchBoxProps extends Omit<TextInputProps, 'value' | 'onChange' | 'label' | 'type'> {
  /** Accessible name. */
  readonly label: string;
  /** The searched text, from the URL. */
  readonly value: string;
  /** Called with the trimmed text on Enter, on clearing, and after a pause. */
  readonly onSearch: (text: string) => void;
}

export function SearchBox({ label, value, onSearch, ...props }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const timer = useRef<number>(undefined);
  const asked = useRef(value);
  // `value` and `onSearch` may change during the pause.
  const newest = useRef({ value, onSearch });
  useEffect(() => { newest.current = { value, onSearch }; });
  useEffect(() => () => window.clearTimeout(timer.current), []);
  // Going back or forward changes `value`, and the field follows.
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setText(value);
  }, [value]);
  const search = (typed: string) => {
    window.clearTimeout(timer.current);
    asked.current = typed.trim();
    if (asked.current !== newest.current.value) newest.current.onSearch(asked.current);
  };
  const change = (typed: string) => {
    setText(typed);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => search(typed), PAUSE);
  };
  return (
    <search aria-label={label}>
      <form onSubmit={(event) => { event.preventDefault(); search(text); }}>
        <TextInput
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          leftSection={<SearchIcon />}
          rightSection={text === '' ? null : <CloseButton size="sm" aria-label={common.clear} onClick={() => { setText(''); search(''); }} />}
          {...props}
          aria-label={label}
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}
