// biome-ignore-all format: a test writes this file (npx vitest run --project unit css-modules -u)
declare module "*/tokens.css";
declare module "*/base.css";
declare module "*/shared.css";
declare module "*/approvals.module.css" {
  const styles: Readonly<Record<"approval" | "approvalArgs" | "approvalOf" | "approvalOrigins" | "approvalQuestion" | "approvals" | "argumentAbout" | "argumentChanges" | "argumentEditor" | "argumentField" | "argumentName" | "argumentNote" | "argumentRequired" | "argumentReset" | "argumentSource" | "argumentViews" | "decision" | "decisionButtons" | "decisionChoices" | "decisionComment" | "decisionEdits" | "decisionFault" | "rowChanges", string>>;
  export default styles;
}

declare module "*/code.module.css" {
  const styles: Readonly<Record<"applied" | "innerCallArgs" | "innerCallBody" | "innerCallEffect" | "innerCallTurn" | "innerCalls" | "program" | "programMemory" | "programMeta" | "programSource" | "programStatus" | "programText" | "programVersions" | "programs" | "source" | "sourceCount" | "sourceFault" | "sourceLine" | "sourceLines" | "sourceNumber", string>>;
  export default styles;
}

declare module "*/compare.module.css" {
  const styles: Readonly<Record<"change" | "changeLarge" | "changes" | "chooser" | "chooserChoice" | "chooserGoal" | "chooserLoading" | "chooserPlans" | "chooserSearch" | "compare" | "compareHead" | "compareHeads" | "compareLoading" | "comparePart" | "compareSide" | "compareSummary" | "comparedChanges" | "comparedKind" | "comparedMeta" | "comparedStep" | "comparedSteps" | "textDifference", string>>;
  export default styles;
}

declare module "*/graph.module.css" {
  const styles: Readonly<Record<"edgeActive" | "edgeCritical" | "edgeDone" | "edgeFallback" | "graph" | "graphCollapse" | "graphLegend" | "graphLegendCritical" | "graphPlace", string>>;
  export default styles;
}

declare module "*/group-panel.module.css" {
  const styles: Readonly<Record<"groupPanel" | "groupStep", string>>;
  export default styles;
}

declare module "*/node.module.css" {
  const styles: Readonly<Record<"node" | "nodeAttempts" | "nodeBar" | "nodeFoot" | "nodeFound" | "nodeHead" | "nodeTime" | "nodeTitle" | "nodeTitleOne", string>>;
  export default styles;
}

declare module "*/keys.module.css" {
  const styles: Readonly<Record<"keysButton" | "keysDialog" | "keysSwitch", string>>;
  export default styles;
}

declare module "*/facts.module.css" {
  const styles: Readonly<Record<"factOther" | "factValue" | "factsFoot" | "factsTab" | "questions", string>>;
  export default styles;
}

declare module "*/metrics.module.css" {
  const styles: Readonly<Record<"barPlot" | "byStrategy" | "metricsControls" | "plot" | "plotBar" | "plotEnds" | "plotGround" | "plotKey" | "plotKeys" | "plotPart" | "slowFailed" | "tile" | "tileChange" | "tileValue" | "tiles" | "toolBar" | "toolBars" | "toolsExport" | "trend" | "trendDot" | "trendKey" | "trendKeys" | "trendLine" | "trendPoints" | "trendStrip" | "trends", string>>;
  export default styles;
}

declare module "*/notify.module.css" {
  const styles: Readonly<Record<"notifyDialog" | "notifyHead" | "notifyState", string>>;
  export default styles;
}

declare module "*/onboarding.module.css" {
  const styles: Readonly<Record<"onboarding" | "onboardingProgress", string>>;
  export default styles;
}

declare module "*/palette-button.module.css" {
  const styles: Readonly<Record<"paletteButton" | "paletteButtonName" | "paletteWaiting", string>>;
  export default styles;
}

declare module "*/palette.module.css" {
  const styles: Readonly<Record<"palette" | "paletteAbout" | "paletteFoot" | "paletteGroup" | "paletteHead" | "paletteHint" | "paletteKeys" | "paletteList" | "paletteOption" | "paletteTitle", string>>;
  export default styles;
}

declare module "*/budget.module.css" {
  const styles: Readonly<Record<"budget" | "budgetBar" | "budgetForecast" | "budgetLabel" | "budgetReserved" | "budgetRow" | "budgetUsed" | "budgetWarning" | "budgetWords", string>>;
  export default styles;
}

declare module "*/plan-header.module.css" {
  const styles: Readonly<Record<"cancel" | "planBack" | "planControl" | "planControls" | "planFacts" | "planFork" | "planGoal" | "planHeader" | "planMenu" | "planNotes" | "planReason" | "planTitle" | "planTrail" | "planWaits" | "progress" | "progressBar" | "progressWords", string>>;
  export default styles;
}

declare module "*/answer.module.css" {
  const styles: Readonly<Record<"answer" | "answerData" | "answerExtras" | "answerOffline" | "answerSource" | "answerTables" | "answerText" | "answerWords" | "feedback" | "feedbackPlace" | "feedbackWords", string>>;
  export default styles;
}

declare module "*/events-tab.module.css" {
  const styles: Readonly<Record<"event" | "eventSeq" | "eventTime" | "eventType" | "eventWords" | "events", string>>;
  export default styles;
}

declare module "*/plan-page.module.css" {
  const styles: Readonly<Record<"history" | "plan" | "planDetails" | "planFailedActions" | "planId" | "planLayout" | "planLoading" | "planWholeGoal" | "stepMissing", string>>;
  export default styles;
}

declare module "*/plan-tabs.module.css" {
  const styles: Readonly<Record<"tabCount" | "tabList" | "tabPanel", string>>;
  export default styles;
}

declare module "*/step-drawer.module.css" {
  const styles: Readonly<Record<"drawer" | "drawerBody" | "drawerButtons" | "drawerHead" | "drawerMeta", string>>;
  export default styles;
}

declare module "*/step.module.css" {
  const styles: Readonly<Record<"attemptError" | "attemptHead" | "attemptMore" | "attempts" | "bullets" | "buttonLink" | "copies" | "effectKey" | "effects" | "input" | "inputOrigin" | "inputPlanned" | "inputs" | "itemFilter" | "items" | "outputHead" | "sectionBody" | "sectionLoading" | "sectionNote" | "sentence" | "stepSection" | "stepTools" | "stepWaiting" | "turnCalls" | "turnDetails" | "turnFault" | "turnNumber" | "turnThought" | "turns" | "wrap", string>>;
  export default styles;
}

declare module "*/steps-tab.module.css" {
  const styles: Readonly<Record<"criticalMark" | "rowButton" | "sortButton" | "stepWhy" | "stepsBack" | "stepsSearch" | "stepsTable" | "stepsWalk", string>>;
  export default styles;
}

declare module "*/sub-plan.module.css" {
  const styles: Readonly<Record<"subPlan" | "subPlanHead" | "subPlanLoading" | "subPlanMore" | "subSteps", string>>;
  export default styles;
}

declare module "*/plans-table.module.css" {
  const styles: Readonly<Record<"plansCheck" | "plansGoal" | "plansHead" | "plansLine" | "plansLoading" | "plansOutcome" | "plansOutdated" | "plansPage" | "plansRows" | "plansScroller" | "plansSelection" | "plansToolbar", string>>;
  export default styles;
}

declare module "*/plans.module.css" {
  const styles: Readonly<Record<"endedFilters" | "filterCheck" | "filterViews" | "filters" | "planRow" | "planRowBar" | "planRowGoal" | "planRowMeta" | "planRowPart" | "planRowTime" | "planRows" | "planSkeletons" | "railBody" | "railFilter" | "railHead" | "railMore" | "railNew" | "railOlder" | "railSearch" | "view" | "viewCount" | "viewName" | "views", string>>;
  export default styles;
}

declare module "*/revisions.module.css" {
  const styles: Readonly<Record<"diffAdded" | "diffChanged" | "diffHead" | "diffRemoved" | "fieldChanges" | "revision" | "revisionAsked" | "revisionDiff" | "revisionReason" | "revisions" | "side", string>>;
  export default styles;
}

declare module "*/search.module.css" {
  const styles: Readonly<Record<"search" | "searchAction" | "searchBar" | "searchBest" | "searchBody" | "searchButtons" | "searchDetails" | "searchDetailsMeta" | "searchFigure" | "searchReason" | "searchRow" | "searchSummary" | "searchToggle" | "searchTree" | "searchValue", string>>;
  export default styles;
}

declare module "*/api-key-dialog.module.css" {
  const styles: Readonly<Record<"keyDialog" | "keyRefused", string>>;
  export default styles;
}

declare module "*/shell.module.css" {
  const styles: Readonly<Record<"rail" | "shell" | "skipLink", string>>;
  export default styles;
}

declare module "*/top-bar.module.css" {
  const styles: Readonly<Record<"brand" | "connection" | "models" | "offlineBanner" | "offlineHint" | "topBar" | "topLink" | "topNav" | "version", string>>;
  export default styles;
}

declare module "*/account.module.css" {
  const styles: Readonly<Record<"account" | "accountName" | "accountRole", string>>;
  export default styles;
}

declare module "*/attachments.module.css" {
  const styles: Readonly<Record<"attachButton" | "attachment" | "attachmentAbout" | "attachmentAsking" | "attachmentFailed" | "attachmentName" | "attachments", string>>;
  export default styles;
}

declare module "*/composer.module.css" {
  const styles: Readonly<Record<"composer" | "composerButtons" | "composerFoot" | "composerForm" | "composerHint" | "composerLead" | "composerMissing" | "dropHint" | "strategy", string>>;
  export default styles;
}

declare module "*/example-goals.module.css" {
  const styles: Readonly<Record<"example" | "exampleAbout" | "exampleGoal" | "examples", string>>;
  export default styles;
}

declare module "*/options-panel.module.css" {
  const styles: Readonly<Record<"option" | "optionCheck" | "optionCheckBox" | "optionData" | "optionFine" | "optionKind" | "optionPlan" | "optionQuestion" | "optionSource" | "optionTools" | "optionToolsList" | "optionWide" | "options" | "optionsGrid", string>>;
  export default styles;
}

declare module "*/preview-card.module.css" {
  const styles: Readonly<Record<"preview" | "previewFacts" | "previewReasoning" | "previewRisk" | "previewTool", string>>;
  export default styles;
}

declare module "*/system.module.css" {
  const styles: Readonly<Record<"deadLetterList" | "deadLetters" | "deadLettersButtons" | "deadLettersLoading" | "pool" | "poolBroken" | "poolWarning" | "schemaRequired" | "systemLoading" | "systemPage" | "tool" | "toolEffect" | "toolFilters" | "toolList" | "toolMeta" | "try" | "tryFault" | "tryFaults" | "tryField" | "tryResult" | "tryWarning" | "waitingPlan", string>>;
  export default styles;
}

declare module "*/timeline-chart.module.css" {
  const styles: Readonly<Record<"timeSegment" | "timelineBar" | "timelineChild" | "timelineCorner" | "timelineCritical" | "timelineDescription" | "timelineFailed" | "timelineHead" | "timelineMark" | "timelineName" | "timelineRow" | "timelineRows" | "timelineScroller" | "timelineSpan" | "timelineSpans" | "timelineStatus" | "timelineTicks" | "timelineTime" | "timelineToggle" | "timelineTools" | "timelineTrack", string>>;
  export default styles;
}

declare module "*/timeline-tip.module.css" {
  const styles: Readonly<Record<"timelineTip" | "timelineTipDescription" | "timelineTipSum", string>>;
  export default styles;
}

declare module "*/timeline.module.css" {
  const styles: Readonly<Record<"timeline" | "timelineDefs" | "timelineLegend" | "timelineSum" | "timelineSummary", string>>;
  export default styles;
}

declare module "*/span-details.module.css" {
  const styles: Readonly<Record<"attributeTable" | "spanEvents" | "spanLinks", string>>;
  export default styles;
}

declare module "*/trace.module.css" {
  const styles: Readonly<Record<"muted" | "spanBar" | "spanBelow" | "spanCritical" | "spanDetails" | "spanFailed" | "spanGrid" | "spanLabel" | "spanName" | "spanRow" | "spanService" | "spanStep" | "spanTime" | "spanToggle" | "trace" | "traceAxis" | "traceFilter" | "traceMissing" | "traceNone" | "traceParts" | "traceRows" | "traceService" | "traceSummary" | "waterfall", string>>;
  export default styles;
}

declare module "*/pager.module.css" {
  const styles: Readonly<Record<"pager", string>>;
  export default styles;
}

declare module "*/popup.module.css" {
  const styles: Readonly<Record<"popup" | "popupButtons" | "popupCheck" | "popupPanel", string>>;
  export default styles;
}

declare module "*/markdown.module.css" {
  const styles: Readonly<Record<"markdown", string>>;
  export default styles;
}

declare module "*/values.module.css" {
  const styles: Readonly<Record<"artifact" | "artifactImage" | "artifactPage" | "dataTable" | "folded" | "foldedPart" | "hits" | "json" | "jsonLeaf" | "jsonMore" | "jsonTree" | "jsonWhat" | "scalar" | "tableNext" | "tablePages" | "valueInline" | "valueWords", string>>;
  export default styles;
}
