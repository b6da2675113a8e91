import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { common } from '#texts/common';
import { amountFault } from './amount-fault';

interface AmountInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'inputMode'> {
  /** As typed; `typedAmount` normalises it. */
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Accepts negative amounts. */
  readonly signed?: boolean;
}

/** Stays a string, and is validated on blur; `error` takes precedence. */
export function AmountInput({ value, onChange, signed = false, error, onBlur, ...props }: AmountInputProps) {
  const [left, setLeft] = useState(false);
  const own = left && value.trim() !== '' ? amountFault(value, signed) : null;
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      rightSection={<span className="muted">{common.tokensShort}</span>}
      rightSectionWidth={64}
      rightSectionPointerEvents="none"
      {...props}
      value={value}
      error={error ?? own}
      onChange={(event) => {
        setLeft(false);
        onChange(event.currentTarget.value);
      }}
      onBlur={(event) => {
        setLeft(true);
        onBlur?.(event);
      }}
    />
  );
}
