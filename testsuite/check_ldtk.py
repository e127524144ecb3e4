#!/usr/bin/env python3
"""Checks LDtk projects against the JSON schema of LDtk 1.5.3, and the references that the schema cannot express.

`check_ldtk.py FILE...` prints every fault and exits with 1 if there is one. It needs only the standard library.

The tables restate the schema: a member is `name:type`. Types are i (integer), n (number), s (string), b (boolean), any,
none (an empty list), the name of a table, `[type]` for lists, and words joined by | for enumerations. `?` after a type
allows null, and `~` after a name makes the member optional. Unknown members are faults, except at the root.
"""

import json
import re
import struct
import sys
from pathlib import Path

TABLES = {
    "Root": """
        bgColor:s defs:Definitions externalLevels:b iid:s jsonVersion:s levels:[Level] toc:none worlds:none appBuildId:n
        backupLimit:i backupOnSave:b customCommands:none defaultEntityHeight:i defaultEntityWidth:i defaultGridSize:i
        defaultLevelBgColor:s defaultPivotX:n defaultPivotY:n dummyWorldIid:s exportLevelBg:b exportTiled:b
        flags:[DiscardPreCsvIntGrid|ExportOldTableOfContentData|ExportPreCsvIntGridFormat|IgnoreBackupSuggest|PrependIndexToLevelFileNames|MultiWorlds|UseMultilinesType]
        identifierStyle:Capitalize|Uppercase|Lowercase|Free
        imageExportMode:None|OneImagePerLayer|OneImagePerLevel|LayersAndLevels levelNamePattern:s minifyJson:b nextUid:i
        simplifiedExport:b worldLayout~:Free|GridVania|LinearHorizontal|LinearVertical? worldGridWidth~:i?
        worldGridHeight~:i? defaultLevelWidth~:i? defaultLevelHeight~:i? pngFilePattern~:s? tutorialDesc~:s?
        backupRelPath~:s?
    """,
    "Definitions": """
        entities:[EntityDef] enums:none externalEnums:none layers:[LayerDef] levelFields:[FieldDef]
        tilesets:[TilesetDef]
    """,
    "LayerDef": """
        __type:s displayOpacity:n gridSize:i identifier:s intGridValues:[IntGridValueDef] intGridValuesGroups:none
        parallaxFactorX:n parallaxFactorY:n parallaxScaling:b pxOffsetX:i pxOffsetY:i uid:i autoRuleGroups:none
        canSelectWhenInactive:b excludedTags:[s] guideGridHei:i guideGridWid:i hideFieldsWhenInactive:b hideInList:b
        inactiveOpacity:n renderInWorldView:b requiredTags:[s] tilePivotX:n tilePivotY:n
        type:IntGrid|Entities|Tiles|AutoLayer uiFilterTags:[s] useAsyncRender:b uiColor~:s? doc~:s? tilesetDefUid~:i?
        autoSourceLayerDefUid~:i? biomeFieldUid~:i? autoTilesKilledByOtherLayerUid~:i?
    """,
    "IntGridValueDef": "color:s groupUid:i value:i identifier~:s? tile~:TilesetRect?",
    "EntityDef": """
        color:s height:i identifier:s nineSliceBorders:[i] pivotX:n pivotY:n
        tileRenderMode:Cover|FitInside|Repeat|Stretch|FullSizeCropped|FullSizeUncropped|NineSlice uid:i width:i
        allowOutOfBounds:b exportToToc:b fieldDefs:[FieldDef] fillOpacity:n hollow:b keepAspectRatio:b
        limitBehavior:DiscardOldOnes|PreventAdding|MoveLastOne limitScope:PerLayer|PerLevel|PerWorld lineOpacity:n
        maxCount:i renderMode:Rectangle|Ellipse|Tile|Cross resizableX:b resizableY:b showName:b tags:[s] tileOpacity:n
        tilesetId~:i? minWidth~:i? maxWidth~:i? minHeight~:i? maxHeight~:i? tileRect~:TilesetRect?
        uiTileRect~:TilesetRect? doc~:s?
    """,
    "FieldDef": """
        __type:s canBeNull:b identifier:s isArray:b type:s uid:i allowOutOfLevelRef:b allowedRefTags:[s]
        allowedRefs:Any|OnlySame|OnlyTags|OnlySpecificEntity autoChainRef:b editorAlwaysShow:b editorCutLongValues:b
        editorDisplayMode:Hidden|ValueOnly|NameAndValue|EntityTile|LevelTile|Points|PointStar|PointPath|PointPathLoop|RadiusPx|RadiusGrid|ArrayCountWithLabel|ArrayCountNoLabel|RefLinkBetweenPivots|RefLinkBetweenCenters
        editorDisplayPos:Above|Center|Beneath editorDisplayScale:n
        editorLinkStyle:ZigZag|StraightArrow|CurvedArrow|ArrowsLine|DashedLine editorShowInWorld:b exportToToc:b
        searchable:b symmetricalRef:b useForSmartColor:b acceptFileTypes~:[s]? arrayMinLength~:i? arrayMaxLength~:i?
        editorTextSuffix~:s? editorTextPrefix~:s? min~:n? max~:n? editorDisplayColor~:s? doc~:s?
        allowedRefsEntityUid~:i? tilesetUid~:i? defaultOverride~:any regex~:s?
        textLanguageMode~:LangPython|LangRuby|LangJS|LangLua|LangC|LangHaxe|LangMarkdown|LangJson|LangXml|LangLog?
    """,
    "TilesetDef": """
        __cHei:i __cWid:i customData:none enumTags:none identifier:s padding:i pxHei:i pxWid:i spacing:i tags:[s]
        tileGridSize:i uid:i savedSelections:none cachedPixelData~:any tagsSourceEnumUid~:i? embedAtlas~:LdtkIcons?
        relPath~:s?
    """,
    "TilesetRect": "h:i tilesetUid:i w:i x:i y:i",
    "Level": """
        __bgColor:s __neighbours:none fieldInstances:[FieldInstance] identifier:s iid:s pxHei:i pxWid:i uid:i
        worldDepth:i worldX:i worldY:i __smartColor:s bgPivotX:n bgPivotY:n useAutoIdentifier:b
        layerInstances~:[LayerInstance]? externalRelPath~:s? bgColor~:s?
        bgPos~:Unscaled|Contain|Cover|CoverDirty|Repeat? __bgPos~:any bgRelPath~:s?
    """,
    "LayerInstance": """
        __cHei:i __cWid:i __gridSize:i __identifier:s __opacity:n __pxTotalOffsetX:i __pxTotalOffsetY:i __type:s
        autoLayerTiles:[Tile] entityInstances:[EntityInstance] gridTiles:[Tile] iid:s intGridCsv:[i] layerDefUid:i
        levelId:i pxOffsetX:i pxOffsetY:i visible:b optionalRules:[i] seed:i __tilesetRelPath~:s? __tilesetDefUid~:i?
        overrideTilesetUid~:i?
    """,
    "Tile": "a:n f:i px:[i] src:[i] t:i d:[i]",
    "EntityInstance": """
        __grid:[i] __identifier:s __pivot:[n] __smartColor:s __tags:[s] defUid:i fieldInstances:[FieldInstance] height:i
        iid:s px:[i] width:i __tile~:TilesetRect? __worldX~:i? __worldY~:i?
    """,
    "FieldInstance": "__identifier:s __type:s __value:any defUid:i realEditorValues:[any] __tile~:TilesetRect?",
}


def read_tables():
    tables = {}
    for name, text in TABLES.items():
        members = {}
        for member in text.split():
            field, kind = member.split(":", 1)
            members[field.removesuffix("~")] = (kind, not field.endswith("~"))
        tables[name] = members
    return tables


class Checker:
    def __init__(self, path):
        self.path, self.faults, self.tables = path, [], read_tables()

    def fault(self, where, why):
        self.faults.append(f"{self.path}: {where}: {why}")

    # Rules of the schema.
    def check(self, value, kind, where):
        if kind.endswith("?"):
            if value is None:
                return
            kind = kind[:-1]
        plain = {"i": int, "n": (int, float), "s": str, "b": bool}
        if kind == "any":
            return
        if kind == "none":
            if value != []:
                self.fault(where, "not an empty list")
        elif kind in plain:
            if not isinstance(value, plain[kind]) or (kind in "in" and isinstance(value, bool)):
                self.fault(where, f"{value!r:.60} is not of type {kind}")
        elif kind.startswith("["):
            if not isinstance(value, list):
                self.fault(where, "not a list")
                return
            for n, item in enumerate(value):
                self.check(item, kind[1:-1], f"{where}[{n}]")
        elif kind in self.tables:
            self.check_object(value, kind, where)
        elif value not in kind.split("|"):
            self.fault(where, f"{value!r} is not one of {kind}")

    def check_object(self, value, kind, where):
        if not isinstance(value, dict):
            self.fault(where, "not an object")
            return
        members = self.tables[kind]
        for name, (inner, required) in members.items():
            if name in value:
                self.check(value[name], inner, f"{where}.{name}")
            elif required:
                self.fault(where, f"{name} is missing")
        for name in value.keys() - members.keys():
            if kind != "Root":
                self.fault(where, f"{name} is not a member of {kind}")

    # Rules that the schema only describes in words.
    def check_meaning(self, project):
        defs = project["defs"]
        layers = self.by_uid(defs["layers"], "defs.layers")
        entities = self.by_uid(defs["entities"], "defs.entities")
        tilesets = self.by_uid(defs["tilesets"], "defs.tilesets")
        fields = self.by_uid([f for e in defs["entities"] for f in e["fieldDefs"]], "fieldDefs")
        level_fields = self.by_uid(defs["levelFields"], "defs.levelFields")
        groups = [
            layers,
            entities,
            tilesets,
            fields,
            level_fields,
            {level["uid"]: level for level in project["levels"]},
        ]
        uids = [uid for group in groups for uid in group]
        if len(set(uids)) != len(uids):
            self.fault("uid", "a uid is used twice")
        if max(uids) >= project["nextUid"]:
            self.fault("nextUid", f"{max(uids)} is in use")
        if not re.fullmatch(r"1\.5\.\d+", project["jsonVersion"]):
            self.fault("jsonVersion", project["jsonVersion"])
        for colour in re.findall(r'[cC]olor": ?"([^"]*)"', json.dumps(project)):
            if not re.fullmatch(r"#[0-9A-Fa-f]{6}", colour):
                self.fault("colours", f"{colour!r} is not #rrggbb")
        for group in (layers, entities, tilesets):
            names = [one["identifier"] for one in group.values()]
            if len(set(names)) != len(names):
                self.fault("identifier", "a name is used twice")
            for name in names:
                if not re.fullmatch(r"[A-Z][A-Za-z0-9_]*", name):
                    self.fault("identifier", f"{name!r} is not capitalized")
        for layer in layers.values():
            if layer["__type"] != layer["type"]:
                self.fault("defs.layers", f"{layer['identifier']} has two different types")
            values = [value["value"] for value in layer["intGridValues"]]
            if len(set(values)) != len(values) or 0 in values:
                self.fault("defs.layers", "IntGrid values must be unique and start at 1")
        for tileset in tilesets.values():
            self.check_tileset(tileset)
        iids = [project["iid"], project["dummyWorldIid"]]
        for n, level in enumerate(project["levels"]):
            iids += self.check_level(level, f"levels[{n}]", project, layers, entities, tilesets, level_fields)
        if len(set(iids)) != len(iids):
            self.fault("iid", "an iid is used twice")
        for iid in iids:
            if not re.fullmatch(r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}", iid):
                self.fault("iid", f"{iid!r} is not a UUID")

    def by_uid(self, definitions, where):
        found = {definition["uid"]: definition for definition in definitions}
        if len(found) != len(definitions):
            self.fault(where, "a uid is used twice")
        return found

    def check_tileset(self, tileset):
        side = tileset["tileGridSize"]
        if (tileset["__cWid"] * side, tileset["__cHei"] * side) != (tileset["pxWid"], tileset["pxHei"]):
            self.fault("defs.tilesets", "its cells do not match its size in pixels")
        image = self.path.parent / tileset["relPath"]
        if not image.is_file():
            self.fault("defs.tilesets", f"{tileset['relPath']} does not exist")
        elif struct.unpack(">II", image.read_bytes()[16:24]) != (tileset["pxWid"], tileset["pxHei"]):
            self.fault("defs.tilesets", f"{tileset['relPath']} has a different size")

    def check_level(self, level, where, project, layers, entities, tilesets, level_fields):
        self.check_fields(level["fieldInstances"], level_fields, where)
        iids = [level["iid"]]
        if [layer["layerDefUid"] for layer in level["layerInstances"]] != list(layers):
            self.fault(where, "its layers differ from the defined layers or their order")
        for layer in level["layerInstances"]:
            here = f"{where}.{layer['__identifier']}"
            iids.append(layer["iid"])
            definition = layers.get(layer["layerDefUid"])
            if not definition:
                self.fault(here, "its layer is not defined")
                continue
            side, width, height = layer["__gridSize"], layer["__cWid"], layer["__cHei"]
            if (layer["__identifier"], layer["__type"], side) != (
                definition["identifier"],
                definition["type"],
                definition["gridSize"],
            ):
                self.fault(here, "differs from its definition")
            if layer["levelId"] != level["uid"] or (width * side, height * side) != (level["pxWid"], level["pxHei"]):
                self.fault(here, "differs from its level in size")
            if len(layer["intGridCsv"]) != (width * height if layer["__type"] == "IntGrid" else 0):
                self.fault(here, f"{len(layer['intGridCsv'])} values for {width} x {height} cells")
            known = {value["value"] for value in definition["intGridValues"]} | {0}
            if set(layer["intGridCsv"]) - known:
                self.fault(here, f"values {sorted(set(layer['intGridCsv']) - known)} are not defined")
            if (layer["gridTiles"] and layer["__type"] != "Tiles") or (
                layer["entityInstances"] and layer["__type"] != "Entities"
            ):
                self.fault(here, f"contains elements that a layer of type {layer['__type']} cannot have")
            for tile in layer["gridTiles"]:
                self.check_tile(tile, layer, tilesets, here)
            for n, entity in enumerate(layer["entityInstances"]):
                iids.append(entity["iid"])
                self.check_entity(entity, f"{here}[{n}]", level, layer, entities, tilesets, project)
        return iids

    def check_tile(self, tile, layer, tilesets, where):
        tileset = tilesets.get(layer.get("__tilesetDefUid"))
        if not tileset or layer.get("__tilesetRelPath") != tileset["relPath"]:
            self.fault(where, "its tileset is not defined")
            return
        side, columns = layer["__gridSize"], tileset["__cWid"]
        src = [tile["t"] % columns * tileset["tileGridSize"], tile["t"] // columns * tileset["tileGridSize"]]
        cell = tile["px"][1] // side * layer["__cWid"] + tile["px"][0] // side
        if (
            tile["src"] != src
            or tile["d"] != [cell]
            or not 0 <= tile["t"] < columns * tileset["__cHei"]
            or not 0 <= tile["a"] <= 1
            or tile["f"] not in range(4)
        ):
            self.fault(where, f"tile {tile}")

    def check_entity(self, entity, where, level, layer, entities, tilesets, project):
        definition = entities.get(entity["defUid"])
        if not definition:
            self.fault(where, "its entity is not defined")
            return
        side = layer["__gridSize"]
        if (entity["__identifier"], entity["width"], entity["height"]) != (
            definition["identifier"],
            definition["width"],
            definition["height"],
        ):
            self.fault(where, "differs from its definition")
        if entity["__pivot"] != [definition["pivotX"], definition["pivotY"]] or entity["__tags"] != definition["tags"]:
            self.fault(where, "pivot or tags differ from the definition")
        if [at // side for at in entity["px"]] != entity["__grid"]:
            self.fault(where, "its cell does not match its position in pixels")
        x, y = entity["px"]
        if not (0 <= x < level["pxWid"] and 0 <= y < level["pxHei"]):
            self.fault(where, "outside its level")
        if project.get("worldLayout") == "Free" and (entity["__worldX"], entity["__worldY"]) != (
            level["worldX"] + x,
            level["worldY"] + y,
        ):
            self.fault(where, "its world position is wrong")
        tile = entity.get("__tile")
        if tile and tile["tilesetUid"] not in tilesets:
            self.fault(where, "its tileset is not defined")
        self.check_fields(entity["fieldInstances"], {field["uid"]: field for field in definition["fieldDefs"]}, where)

    def check_fields(self, instances, defined, where):
        outer = {
            "F_Int": "Int",
            "F_Float": "Float",
            "F_String": "String",
            "F_Text": "String",
            "F_Bool": "Bool",
            "F_Point": "Point",
        }
        for field in defined.values():
            kind = outer.get(field["type"])
            if field["__type"] != (f"Array<{kind}>" if field["isArray"] else kind):
                self.fault(where, f"{field['identifier']} is {field['__type']} of {field['type']}")
        if [field["defUid"] for field in instances if field["defUid"] in defined] != [
            field["defUid"] for field in instances
        ]:
            self.fault(where, "a field is not defined")
        for field in instances:
            definition = defined.get(field["defUid"])
            if not definition:
                continue
            here = f"{where}.{field['__identifier']}"
            if (field["__identifier"], field["__type"]) != (definition["identifier"], definition["__type"]):
                self.fault(here, "differs from its definition")
            values = field["__value"] if definition["isArray"] else [field["__value"]]
            if not isinstance(values, list):
                self.fault(here, "not a list")
                continue
            kind = definition["type"]
            if len(values) != len(field["realEditorValues"]) and field["__value"] is not None:
                self.fault(here, "the editor has a different number of values")
            for value in values:
                fits = {
                    "F_Int": lambda v: isinstance(v, int) and not isinstance(v, bool),
                    "F_String": lambda v: isinstance(v, str),
                    "F_Text": lambda v: isinstance(v, str),
                    "F_Bool": lambda v: isinstance(v, bool),
                    "F_Point": lambda v: (
                        isinstance(v, dict) and set(v) == {"cx", "cy"} and all(isinstance(n, int) for n in v.values())
                    ),
                }.get(kind, lambda v: False)
                if not (fits(value) or (value is None and definition["canBeNull"])):
                    self.fault(here, f"{value!r:.60} is not a {kind}")


def faults_of(path):
    checker = Checker(Path(path))
    project = json.loads(Path(path).read_text())
    checker.check(project, "Root", "project")
    if not checker.faults:
        checker.check_meaning(project)
    return checker.faults


def main():
    faults = [fault for path in sys.argv[1:] for fault in faults_of(path)]
    for fault in faults[:50]:
        print(fault, file=sys.stderr)
    if faults or len(sys.argv) < 2:
        sys.exit(1)
    print(f"check_ldtk: {len(sys.argv) - 1} projects are valid")


if __name__ == "__main__":
    main()
