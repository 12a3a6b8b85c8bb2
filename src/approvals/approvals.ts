// The public module of the approvals room: people prepare, and another person approves or refuses. Only an approval posts
// an entry or applies a change. Decisions are stored apart from derived data, so that a rebuild posts them again.
export { approve, postApproved, refuse, whyOnlyRefused } from './answers.ts';
export { acceptance, type Budget, budgetChange, budgetOf } from './budgets.ts';
export { type Change, linesOf } from './changes.ts';
export { ASSET_CLASSES, type AssetClass, CHART_COLUMNS, type ChartLine, TEMPLATES } from './chart.ts';
export { readAssetClasses, readChart } from './chart-file.ts';
export { chartChange, templateLines, type WantedChart } from './charts.ts';
export { adjustment, openingContent, reversal, settlement } from './contents.ts';
export { type Rule, readRules, rulesChange } from './counterparties.ts';
export { type Duties, dutiesOf, setDuties } from './duties.ts';
export { evidenceOf } from './evidence.ts';
export { importOf, type LotsFile, lotsChange, readExternalLots } from './external-lots.ts';
export { LABEL_COLUMNS, LABEL_KINDS, type Label, type LabelLine, readLabels } from './label-file.ts';
export { labelsChange } from './labels.ts';
export { readLeg } from './legs.ts';
export { type LotChoiceFile, lotChoiceChange, readLotChoices } from './lot-choices.ts';
export { type LotRules, lotRulesOf } from './lot-rules.ts';
export { cautionsOf } from './obstacles.ts';
export { OPENING_COLUMNS, type Opening, readOpening } from './opening.ts';
export { EMPTY_PROFILE, type Profile, type ProfileField, type WantedProfile } from './profile.ts';
export { profilesChange, profilesOf, profileValue, readProfiles } from './profiles.ts';
export {
  type Content,
  type Evidence,
  isChange,
  readProposed,
} from './proposal.ts';
export { type ApprovalDesk, firstAltered, type Proposal, proposals, propose } from './proposals.ts';
export { dismissal, type Rejected, rejectedOf } from './rejects.ts';
export { withTransfer } from './transfer-fees.ts';
