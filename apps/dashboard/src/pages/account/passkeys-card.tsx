import { Button } from '@mantine/core';
import { useState } from 'react';
import { account as texts } from '#texts/account';
import { factors as factorTexts } from '#texts/factors';
import { useRoute } from '../../api/use-route';
import { Card } from '../../components/card';
import { Dialog } from '../../components/dialog';
import { PasskeyForm } from '../../components/factors/passkey-form';
import { Part } from '../../components/part';
import { supportsPasskeys } from '../../session/passkeys';
import classes from './account.module.css';
import { PasskeyTable } from './passkey-table';
import { useFactorsChanged } from './use-factors-changed';

const { security } = texts;
const PART_HEIGHT = 120;

function Passkeys() {
  const query = useRoute('listPasskeys', {});
  const changed = useFactorsChanged();
  const [adding, setAdding] = useState(false);
  const added = () => {
    setAdding(false);
    void changed();
  };
  return (
    <>
      <Part query={query} height={PART_HEIGHT}>
        {({ data }) => (data.length === 0 ? <div>{security.noPasskeys}</div> : <PasskeyTable passkeys={data} />)}
      </Part>
      {supportsPasskeys()
        ? <div className={classes['buttons']}><Button variant="default" onClick={() => setAdding(true)}>{factorTexts.addPasskey}</Button></div>
        : <div className="muted">{factorTexts.passkeys.unsupported}</div>}
      <Dialog opened={adding} title={factorTexts.addPasskey} onClose={() => setAdding(false)}><PasskeyForm variant="filled" onAdded={added} /></Dialog>
    </>
  );
}

export function PasskeysCard() {
  const methods = useRoute('signInMethods', {});
  return (
    <Card title={security.passkeys}>
      <div className="muted">{security.passkeysLead}</div>
      <Part query={methods} height={PART_HEIGHT}>
        {({ passkeys }) => (passkeys === 'available' ? <Passkeys /> : <div>{factorTexts.passkeys[passkeys]}</div>)}
      </Part>
    </Card>
  );
}
