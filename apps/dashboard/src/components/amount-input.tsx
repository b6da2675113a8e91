import { NativeSelect, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { units as texts } from '#texts/units';
import { useRate } from '../api/use-rate';
import { dollars, exactAmount, typedAmount } from '../format/amount';
import { product } from '../format/price';
import { amountFault } from './amount-fault';
import { type AmountUnit, shownAmount, tokensOf } from './amount-unit';

interface AmountInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'inputMode'> {
  /** In service tokens, even if the person types dollars. Not normalised: see `typedAmount`. */
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** True to accept negative amounts. */
  readonly signed?: boolean;
  /** The initial unit; the person can choose the other one. If absent, the unit is service tokens, without a choice. */
  readonly unit?: AmountUnit;
}

/** The typed amount in the other unit; the worth of one service token if the text is negative or not an amount. */
function inOtherUnit(value: string, unit: AmountUnit, rate: string): string {
  const tokens = typedAmount(value);
  if (tokens === null || tokens.startsWith('-')) return texts.ofAccount.worth(dollars(rate));
  return unit === 'usd' ? `= ${exactAmount(tokens)} ${texts.tokens}` : `= ${dollars(product(tokens, rate))}`;
}

/** The amount stays a string, and is validated on blur. `error` is shown instead of the fault that the field finds itself. */
export function AmountInput({ value, onChange, signed = false, unit: first, error, onBlur, ...props }: AmountInputProps) {
  const [left, setLeft] = useState(false);
  const [chosen, setChosen] = useState(first ?? 'svc');
  const [typed, setTyped] = useState('');
  const { rate, isRead } = useRate(first !== undefined);
  const unit = rate === undefined ? 'svc' : chosen;
  const own = left && value.trim() !== '' ? amountFault(value, signed) : null;
  const choice = first !== undefined && rate !== undefined && {
    rightSection: <NativeSelect aria-label={texts.unit} variant="unstyled" size="xs" w="100%" rightSectionWidth={24} data={[{ value: 'usd', label: texts.dollars.name }, { value: 'svc', label: texts.tokens }]} value={unit} onChange={({ currentTarget }) => setChosen(currentTarget.value === 'usd' ? 'usd' : 'svc')} />,
    rightSectionWidth: 140, rightSectionPointerEvents: 'auto' as const,
    description: inOtherUnit(value, unit, rate), inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
  };
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      rightSection={<span className="muted">{texts.tokens}</span>}
      rightSectionWidth={`${texts.tokens.length}ch`}
      rightSectionPointerEvents="none"
      {...choice}
      // Read-only until the value of a service token is read: until then, typed dollars would be taken for service tokens.
      readOnly={!isRead}
      {...props}
      value={unit === 'usd' && rate !== undefined ? shownAmount(value, typed, rate) : value}
      error={error ?? own}
      onChange={({ currentTarget }) => {
        setLeft(false);
        setTyped(currentTarget.value);
        onChange(unit === 'usd' && rate !== undefined ? tokensOf(currentTarget.value, rate) : currentTarget.value);
      }}
      onBlur={(event) => {
        setLeft(true);
        onBlur?.(event);
      }}
    />
  );
}
