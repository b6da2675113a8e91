import { Button, Menu } from '@mantine/core';
import { useRef } from 'react';
import { readdressing, renaming } from '#texts/account-acts';
import { account as texts, money, standing } from '#texts/operator-accounts';
import { priceLists } from '#texts/price-lists';
import { DownIcon } from '../../../components/icons';
import type { AccountDetail, Outcome } from './acts/account-data';
import type { OpenAct } from './acts/open-act';
import { openActs } from './acts/open-acts';
import { AddressDialog } from './dialogs/address-dialog';
import { MoneyDialog } from './dialogs/money-dialog';
import { PlanDialog } from './dialogs/plan-dialog';
import { PriceListDialog } from './dialogs/price-list-dialog';
import { RenameDialog } from './dialogs/rename-dialog';
import { standingAct } from './dialogs/standing-acts';
import { StandingDialog } from './dialogs/standing-dialog';

interface AccountActionsProps {
  readonly account: AccountDetail;
  readonly act: OpenAct | null;
  readonly onAct: (act: OpenAct | null) => void;
  readonly onDone: (outcome: Outcome) => void;
}

function ActDialog({ account, act, onAct, onDone }: AccountActionsProps & { readonly act: OpenAct }) {
  const props = { account, opened: true, onClose: () => onAct(null), onDone };
  if (act.name === 'plan') return <PlanDialog {...props} />;
  if (act.name === 'prices') return <PriceListDialog {...props} />;
  if (act.name === 'rename') return <RenameDialog {...props} />;
  if (act.name === 'address') return <AddressDialog {...props} />;
  if (act.name === 'credit' || act.name === 'refund' || act.name === 'correct') return <MoneyDialog {...props} act={act.name} requestId={act.requestId} />;
  return <StandingDialog {...props} name={act.name} />;
}

export function AccountActions(props: AccountActionsProps) {
  const { account, act, onAct } = props;
  const more = useRef<HTMLButtonElement>(null);
  /** Dialogs restore the focus to the element that had it, which must not be a menu item. */
  const choose = (chosen: OpenAct) => {
    more.current?.focus();
    onAct(chosen);
  };
  const acts = openActs(account);
  if (account.status === 'deleted') return null;
  const [harmless, dangerous] = [acts.filter((name) => !standingAct(name).isDangerous), acts.filter((name) => standingAct(name).isDangerous)];
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target><Button ref={more} variant="default" rightSection={<DownIcon />}>{texts.more}</Button></Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => choose({ name: 'plan' })}>{standing.changePlan}</Menu.Item>
          <Menu.Item onClick={() => choose({ name: 'prices' })}>{priceLists.change}</Menu.Item>
          <Menu.Item onClick={() => choose({ name: 'rename' })}>{renaming.act}</Menu.Item>
          {account.person?.role !== 'operator' && <Menu.Item onClick={() => choose({ name: 'address' })}>{readdressing.act}</Menu.Item>}
          <Menu.Item onClick={() => choose({ name: 'correct' })}>{money.correct}</Menu.Item>
          {harmless.map((name) => <Menu.Item key={name} onClick={() => choose({ name })}>{standingAct(name).label}</Menu.Item>)}
          <Menu.Divider />
          {dangerous.map((name) => <Menu.Item key={name} color="red" onClick={() => choose({ name })}>{standingAct(name).label}</Menu.Item>)}
        </Menu.Dropdown>
      </Menu>
      <Button variant="default" onClick={() => onAct({ name: 'refund' })}>{money.refund}</Button>
      <Button onClick={() => onAct({ name: 'credit' })}>{money.credit}</Button>
      {act !== null && <ActDialog {...props} act={act} />}
    </>
  );
}
