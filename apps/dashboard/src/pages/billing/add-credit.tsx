import { Button, Checkbox, Radio, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { addCredit as texts } from '#texts/payments';
import { call, type Reply } from '../../api/call';
import { Card } from '../../components/card';
import { Form } from '../../components/form';
import { Note } from '../../components/note';
import { exactAmount, isZero } from '../../format/amount';
import { priceOf } from '../../format/price-of';
import { choiceFault, CUSTOM, orderOf, type CreditForm } from './payment-choice';
import classes from './billing.module.css';

type Offer = Reply<'readCreditOffer'>;

const FIELDS = ['amount', 'package'] as const;

function customFault(form: CreditForm, offer: Offer): string | null {
  const fault = choiceFault(form, offer);
  if (fault === 'out-of-range' && offer.custom !== null) return texts.range(offer.custom.min, offer.custom.max, offer.custom.currency);
  return fault === 'no-amount' ? texts.invalid : null;
}

function PackageText({ offered: { svc_tokens: tokens, bonus, credit_expires_after_days: days } }: { readonly offered: Offer['packages'][number] }) {
  return <>{texts.gives(exactAmount(tokens))}{!isZero(bonus) && <> · {texts.bonus(exactAmount(bonus))}</>}{days !== null && <> · {texts.expires(days)}</>}</>;
}

function CreditChoices({ offer }: { readonly offer: Offer }) {
  const form = useForm<CreditForm>({
    initialValues: { choice: offer.packages[0]?.id ?? (offer.custom === null ? '' : CUSTOM), amount: '' },
    validate: {
      choice: (_choice, values) => (choiceFault(values, offer) === 'nothing-chosen' ? texts.choose : null),
      amount: (_amount, values) => customFault(values, offer),
    },
  });
  const [savesMethod, setSavesMethod] = useState(false);
  const start = useMutation({
    mutationFn: () => call('startPayment', { body: { ...orderOf(form.values), save_method: savesMethod } }),
    onSuccess: ({ checkout_url: url }) => { if (url !== null) window.location.assign(url); },
  });
  const { custom } = offer;
  return (
    <Form form={form} error={start.error} fields={FIELDS} className={classes['form']} onSubmit={() => start.mutate()}>
      <Radio.Group label={texts.choice} {...form.getInputProps('choice')}>
        <div className={classes['choices']}>
          {offer.packages.map((offered) => (
            <Radio key={offered.id} value={offered.id} label={<>{offered.name} · <strong>{priceOf({ amount: offered.price, currency: offered.currency })}</strong></>} description={<PackageText offered={offered} />} />
          ))}
          {custom !== null && <Radio value={CUSTOM} label={texts.custom} description={texts.range(custom.min, custom.max, custom.currency)} />}
        </div>
      </Radio.Group>
      {custom !== null && form.values.choice === CUSTOM && <TextInput label={texts.amount(custom.currency)} inputMode="decimal" autoComplete="off" maxLength={20} className={classes['typed']} {...form.getInputProps('amount')} />}
      <Checkbox label={texts.saveMethod} description={texts.saveMethodHelp} checked={savesMethod} onChange={(event) => setSavesMethod(event.currentTarget.checked)} />
      <div><Button type="submit" loading={start.isPending || start.isSuccess}>{texts.submit}</Button></div>
    </Form>
  );
}

/** Renders nothing if payments are off. */
export function AddCredit({ offer }: { readonly offer: Offer }) {
  if (offer.provider === null) return null;
  return (
    <Card title={texts.title}>
      {offer.simulated && <Note kind="warning">{texts.simulated}</Note>}
      {offer.packages.length === 0 && offer.custom === null ? <p className="muted">{texts.nothing}</p> : <CreditChoices offer={offer} />}
    </Card>
  );
}
