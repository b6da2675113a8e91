import { Button, Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { locale } from '#locale';
import { shell } from '#texts/shell';
import { DownIcon, PersonIcon } from '../components/icons';
import { chooseLanguage, LANGUAGES } from '../locale/languages';
import { useMe, useSignOut } from '../session/person';
import classes from './shell.module.css';

const SCHEMES: readonly MantineColorScheme[] = ['light', 'dark', 'auto'];

export function PersonMenu() {
  const { person } = useMe();
  const navigate = useNavigate();
  const signOut = useSignOut();
  // Suppressing transitions would insert a style element, which the content security policy forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="subtle" color="gray" px={8} aria-label={`${shell.person}: ${person.email}`} leftSection={<PersonIcon />} rightSection={<DownIcon />} className={classes['person']}>
          <span className={classes['wide']}>{person.email}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{person.email}</Menu.Label>
        <Menu.Item onClick={() => void navigate({ to: '/account', search: { tab: 'sessions' } })}>{shell.sessions}</Menu.Item>
        <Menu.Item onClick={() => void navigate({ to: '/reference', search: {} })}>{shell.reference}</Menu.Item>
        <Menu.Divider />
        <Menu.Label>{shell.scheme}</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(SCHEMES.find((one) => one === scheme) ?? 'auto')}>
          {SCHEMES.map((scheme) => <Menu.RadioItem key={scheme} value={scheme}>{shell.schemes[scheme]}</Menu.RadioItem>)}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{shell.language}</Menu.Label>
        <Menu.RadioGroup value={locale.language}>
          {LANGUAGES.map(({ code, name }) => <Menu.RadioItem key={code} value={code} lang={code} onClick={() => chooseLanguage(code)}>{name}</Menu.RadioItem>)}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>{shell.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
