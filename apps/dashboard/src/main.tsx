import '@fontsource-variable/instrument-sans/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './theme/tokens.css';
import './theme/base.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client';
import { FreshProof } from './components/fresh-proof';
import { createDashboardRouter } from './router';
import { takeLinkToken } from './session/link-token';
import { leaveForConsent, leaveForSignIn } from './session/person';
import { schemeManager } from './theme/scheme';
import { theme } from './theme/theme';

takeLinkToken();
const client = createQueryClient({ onSignedOut: () => leaveForSignIn(router), onConsentRequired: () => leaveForConsent(router) });
const router = createDashboardRouter(client);
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element "root".');

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} colorSchemeManager={schemeManager()} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false} deduplicateInlineStyles={false}>
      <QueryClientProvider client={client}>
        <Notifications position="bottom-right" />
        <FreshProof><RouterProvider router={router} /></FreshProof>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
