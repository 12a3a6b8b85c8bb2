// The config room: the environment, the roles of the database, and how child processes start.

export { lastLines, runChild } from './child.ts';
export {
  childEnv,
  clientEnv,
  displayEnv,
  environment,
  figureSettings,
  readConfig,
  readGatewayConfig,
  readMonitorConfig,
  readNoticeTarget,
  readWebhookConfig,
  showsStack,
} from './environment.ts';
export { ROLES, variableOf } from './role.ts';
export { isHttpAddress, isPostgresUrl, isSubaccountId, isTimezone } from './setting-forms.ts';
export { ignoredNames } from './unknown-names.ts';
export { noticeVariables } from './variables.ts';
