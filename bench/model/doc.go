// Command model measures how right planflame's predictions of time and cost are.
//
//	schedule  stages of sleeping tasks on 4, 8 and 16 slots, each predicted from the others
//	cores     TPC-H's queries on two slots, predicted from one: needs two idle cores
//	bridge    one cause a recording: more rows, other joins, a more expensive expression, none
//	cost      operators and queries whose CPU a model says that has not seen them
//	expensive expressions that cost ten times as much as usual, which the shipped model is to mark
//
// Part cost also fits the model that planflame ships: copy WORK/model.json to
// internal/usualcost/model.json.
//
// Recordings are sessions of real Spark under planflame run. -reuse takes the recordings of an
// earlier run.
package main
